import { Field } from '../../../ui/field.tsx'
import { Link } from '../../../ui/link.tsx'
import { Select } from '../../../ui/select.tsx'
import type { PolicyDraft } from '../backups/policy-draft.ts'
import { PolicyParts } from '../backups/policy-parts.tsx'
import type { ClusterTarget } from './cluster-policy.ts'

const targetsHref = '/databases/backup-targets'

/** Where CloudNativePG backs a new database up, when, and how long that is kept. */
export function ClusterPolicyFields({
  draft,
  targetId,
  targets,
  errors,
  denied,
  onTarget,
  onChange,
}: {
  draft: PolicyDraft
  /** Null: it gets no backups. */
  targetId: string | null
  targets: readonly ClusterTarget[]
  errors: Readonly<Record<string, string | undefined>>
  /** Why none can be chosen. */
  denied: string | undefined
  onTarget: (id: string | null) => void
  onChange: (part: Partial<PolicyDraft>) => void
}) {
  const place = (
    <Field label="To" error={errors['targetId']} hint={hintOf(targetId, targets, denied)}>
      {(control) => (
        <Select
          {...control}
          className="w-full"
          value={targetId ?? ''}
          disabled={denied !== undefined}
          options={[
            { value: '', label: 'No backups' },
            ...targets.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(event) => onTarget(event.target.value || null)}
        />
      )}
    </Field>
  )
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-3 font-semibold">Backups</legend>
      <div className="grid gap-4 sm:grid-cols-2">{place}</div>
      {targetId !== null ? (
        <PolicyParts
          draft={draft}
          errors={errors}
          onChange={onChange}
          changes={
            <p className="text-small text-text-2">
              CloudNativePG archives the changes between backups as well. They are encrypted as the bucket
              encrypts them, not with the key of the organization.
            </p>
          }
        />
      ) : targets.length === 0 ? (
        <p className="text-small text-text-2">
          CloudNativePG keeps backups in a bucket, and none is named here yet.{' '}
          <Link href={targetsHref} className="underline">
            Name one
          </Link>{' '}
          first, or go on without backups.
        </p>
      ) : null}
    </fieldset>
  )
}

function hintOf(targetId: string | null, targets: readonly ClusterTarget[], denied: string | undefined) {
  if (denied !== undefined) return denied
  if (targetId !== null) return 'Its access key is stored in a Secret of the namespace.'
  return targets.length === 0 ? undefined : 'Nothing could be restored.'
}
