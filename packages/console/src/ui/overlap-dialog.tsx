import { useState } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Field } from './field.tsx'
import { Select } from './select.tsx'

type Props = {
  title: string
  /** The thing that gets a new secret. */
  name: string
  action: string
  /** What the old secret is called: "The present secret". */
  label: string
  hint?: string
  /** What the old secret does for a while: "works", "signs". */
  verb: string
  busy: boolean
  error: string | undefined
  /** How many hours the old secret stays valid; 0 ends it at once. */
  onConfirm: (hours: number) => void
  onClose: () => void
}

/** Asks before a secret is replaced, and how long the old one stays valid beside the new one. */
export function OverlapDialog(props: Props) {
  const { title, name, action, label, hint, verb, busy, error, onConfirm, onClose } = props
  const [hours, setHours] = useState('24')
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={title}
      name={name}
      action={action}
      isDestructive={false}
      busy={busy}
      error={error}
      onConfirm={() => onConfirm(Number(hours))}
    >
      <Field label={label} {...(hint !== undefined && { hint })}>
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={hours}
            options={[
              { value: '24', label: `${verb} for 24 hours more` },
              { value: '1', label: `${verb} for 1 hour more` },
              { value: '0', label: 'ends at once' },
            ]}
            onChange={(event) => setHours(event.target.value)}
          />
        )}
      </Field>
    </ConfirmDialog>
  )
}
