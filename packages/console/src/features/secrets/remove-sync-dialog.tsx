import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'

export interface RemoveSyncDialogProps {
  place: string
  /** It is being removed already, and the cluster does not answer. */
  isStuck: boolean
  busy: boolean
  error: unknown
  onRemove: (removal: 'leave' | 'delete') => void
  onClose: () => void
}

/** Ends a copy in a cluster, and asks what becomes of what is there. */
export function RemoveSyncDialog({ place, isStuck, busy, error, onRemove, onClose }: RemoveSyncDialogProps) {
  const [removal, setRemoval] = useState<'leave' | 'delete'>('leave')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!busy) onRemove(isStuck ? 'leave' : removal)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={isStuck ? 'Forget this copy?' : 'Stop keeping the secret there?'}
      description={place}
      isModalStrict
    >
      <form onSubmit={submit} className="flex flex-col gap-4 pb-1">
        {isStuck ? (
          <p>The cluster does not answer. Forgotten here, the Secret stays in the cluster as it is.</p>
        ) : (
          <Field label="The Secret in the cluster">
            {(control) => (
              <Select
                {...control}
                className="w-full"
                value={removal}
                options={[
                  { value: 'leave', label: 'Leave it as it is now; it no longer follows' },
                  { value: 'delete', label: 'Delete it; what uses it will fail' },
                ]}
                onChange={(event) => setRemoval(event.target.value === 'delete' ? 'delete' : 'leave')}
              />
            )}
          </Field>
        )}
        {error ? (
          <Notice tone="danger" title="It was not removed">
            {causeOf(error)}
          </Notice>
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" busy={busy}>
            {isStuck ? 'Forget it' : removal === 'delete' ? 'Stop and delete' : 'Stop'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
