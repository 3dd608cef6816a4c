import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useChange } from '../../../data/use-change.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'

/** Asks which instance becomes the primary. */
export function FailOverDialog({ database, onClose }: { database: Database; onClose: () => void }) {
  const { primary = null, instanceNames = [] } = database.cluster ?? {}
  const others = instanceNames.filter((name) => name !== primary)
  const [to, setTo] = useState(others[0] ?? '')
  const failOver = useChange('databases.failOver')
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Make another instance the primary"
      description={`${primary ?? 'No instance'} is the primary now. Open connections end, and clients connect again.`}
      size="small"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={failOver.isPending}
            onClick={() =>
              failOver.mutate({ params: { id: database.id }, body: { to } }, { onSuccess: onClose })
            }
          >
            Switch over
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Field label="Primary" required>
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={to}
              options={others.map((name) => ({ value: name, label: name }))}
              onChange={(event) => setTo(event.target.value)}
            />
          )}
        </Field>
        {failOver.error ? (
          <Notice tone="danger" title="It was left as it is">
            {causeOf(failOver.error)}
          </Notice>
        ) : null}
      </div>
    </Dialog>
  )
}
