import { Field } from '../../../ui/field.tsx'
import { Select } from '../../../ui/select.tsx'
import { Switch } from '../../../ui/switch.tsx'
import type { PolicyDraft } from './policy-draft.ts'
import { PolicyParts } from './policy-parts.tsx'

/** When a database of this machine is backed up and proven, and how long that is kept. */
export function PolicyFields({
  draft,
  targets,
  errors,
  onChange,
}: {
  draft: PolicyDraft
  /** Where backups can go beside this machine. */
  targets: readonly { id: string; name: string }[]
  errors: Readonly<Record<string, string | undefined>>
  onChange: (part: Partial<PolicyDraft>) => void
}) {
  const { targetId, pitr } = draft
  return (
    <PolicyParts
      draft={draft}
      errors={errors}
      onChange={onChange}
      place={
        <Field
          label="To"
          error={errors['targetId']}
          hint={targetId === null ? 'Lost together with the machine.' : undefined}
        >
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={targetId ?? ''}
              options={[
                { value: '', label: 'This machine' },
                ...targets.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={(event) => onChange({ targetId: event.target.value || null })}
            />
          )}
        </Field>
      }
      changes={
        <Switch
          label="Keep the changes between backups"
          hint="Any second can be restored then; it takes room for everything that is written."
          checked={pitr}
          onChange={(event) => onChange({ pitr: event.target.checked })}
        />
      }
    />
  )
}
