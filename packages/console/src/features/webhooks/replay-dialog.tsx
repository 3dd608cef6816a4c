import type { Webhook } from '@bey/contract'
import { useState } from 'react'
import { useChange } from '../../data/use-change.ts'
import { causeOf } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'

const hourMs = 3_600_000
const ranges = [
  { value: '1', label: 'the last hour' },
  { value: '24', label: 'the last 24 hours' },
  { value: '168', label: 'the last 7 days' },
  { value: '720', label: 'the last 30 days' },
]

/** Sends what was given up again: everything of a time. */
export function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [hours, setHours] = useState('24')
  const [withDelivered, setWithDelivered] = useState(false)
  const replay = useChange('webhooks.replay')
  const confirm = () => {
    const now = Date.now()
    replay.mutate(
      {
        params: { id: webhook.id },
        body: {
          from: new Date(now - Number(hours) * hourMs).toISOString(),
          to: new Date(now).toISOString(),
          ...(withDelivered && { statuses: ['exhausted', 'cancelled', 'retrying', 'delivered'] }),
        },
      },
      {
        onSuccess: ({ replayed, hasMore }) => {
          toast(
            'success',
            replayed === 0
              ? 'There was nothing to replay'
              : `${formatCount(replayed, 'message')} on the way again`,
            hasMore ? { description: 'There are more: replay once more for the rest.' } : undefined,
          )
          onClose()
        },
      },
    )
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Send messages again?"
      name={webhook.name}
      action="Replay"
      isDestructive={false}
      busy={replay.isPending}
      error={replay.error ? causeOf(replay.error) : undefined}
      onConfirm={confirm}
    >
      <Field
        label="Messages of"
        hint="Each keeps its webhook-id, so that a receiver can tell that it has it already."
      >
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={hours}
            options={ranges}
            onChange={(event) => setHours(event.target.value)}
          />
        )}
      </Field>
      <Checkbox
        label="Also those that were delivered"
        hint="Otherwise only those that were given up or cancelled."
        checked={withDelivered}
        onChange={(event) => setWithDelivered(event.target.checked)}
      />
    </ConfirmDialog>
  )
}
