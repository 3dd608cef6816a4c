import type { Cluster } from '@bey/contract'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import type { SyncDraft } from './use-sync-draft.ts'

interface SyncDestinationFieldsProps {
  draft: SyncDraft
  /** Undefined while they are fetched. */
  clusters: readonly Pick<Cluster, 'id' | 'title'>[] | undefined
  errors: Readonly<Record<string, string>>
  onChange: (part: Partial<SyncDraft>) => void
}

/** In which cluster and namespace, and under which name. */
export function SyncDestinationFields({ draft, clusters, errors, onChange }: SyncDestinationFieldsProps) {
  return (
    <>
      <Field
        label="Cluster"
        error={clusters?.length === 0 ? 'There is no cluster yet. Create or import one first.' : undefined}
      >
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={draft.clusterId}
            options={(clusters ?? []).map(({ id, title }) => ({
              value: String(id),
              label: title,
            }))}
            onChange={(event) => onChange({ clusterId: event.target.value })}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Namespace" required error={errors['namespace']}>
          {(control) => (
            <Input
              {...control}
              value={draft.namespace}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => onChange({ namespace: event.target.value })}
            />
          )}
        </Field>
        <Field label="Name of the Secret" required error={errors['name']}>
          {(control) => (
            <Input
              {...control}
              value={draft.name}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => onChange({ name: event.target.value })}
            />
          )}
        </Field>
      </div>
    </>
  )
}
