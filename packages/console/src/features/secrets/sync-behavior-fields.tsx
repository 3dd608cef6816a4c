import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import type { SyncDraft } from './use-sync-draft.ts'

interface SyncBehaviorFieldsProps {
  draft: SyncDraft
  onChange: (part: Partial<SyncDraft>) => void
}

/** What happens when the value changes, when the copy is changed, and when the secret is destroyed. */
export function SyncBehaviorFields({ draft, onChange }: SyncBehaviorFieldsProps) {
  return (
    <>
      <Checkbox
        label="Restart what uses it when the value changes"
        hint="Deployments, stateful sets and daemon sets that mount it or read it into their environment."
        checked={draft.restarts}
        onChange={(event) => onChange({ restarts: event.target.checked })}
      />
      <Checkbox
        label="Put right by itself what is changed in the cluster"
        hint="Otherwise what differs is shown, and you decide."
        checked={draft.correctsDrift}
        onChange={(event) => onChange({ correctsDrift: event.target.checked })}
      />
      <Field label="When the secret is destroyed">
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={draft.onRemoval}
            options={[
              { value: 'leave', label: 'Leave the Secret in the cluster' },
              { value: 'delete', label: 'Delete the Secret in the cluster' },
            ]}
            onChange={(event) =>
              onChange({ onRemoval: event.target.value === 'delete' ? 'delete' : 'leave' })
            }
          />
        )}
      </Field>
    </>
  )
}
