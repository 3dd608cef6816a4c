import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'

export interface ReasonDialogProps {
  title: string
  description: string
  /** The verb on the button. */
  action: string
  isDestructive?: boolean
  busy: boolean
  error: unknown
  onSubmit: (reason: string) => void
  onClose: () => void
}

/** Asks why before something is done that the audit trail keeps with its reason. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, description, action, isDestructive = false, busy, error, onSubmit, onClose } = props
  const [reason, setReason] = useState('')
  const isReady = reason.trim().length >= 3
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isReady && !busy) onSubmit(reason.trim())
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={title}
      description={description}
      isModalStrict
    >
      <form onSubmit={submit} className="flex flex-col gap-4 pb-1">
        <Field label="Reason" required error={error ? causeOf(error) : undefined}>
          {(control) => (
            <Input
              {...control}
              data-initial-focus=""
              value={reason}
              maxLength={500}
              autoComplete="off"
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant={isDestructive ? 'danger' : 'primary'}
            disabled={!isReady}
            busy={busy}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
