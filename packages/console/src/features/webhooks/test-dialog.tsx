import type { Webhook } from '@bey/contract'
import { sampleMessageOf, webhookEventNames } from '@bey/contract'
import { useState } from 'react'
import { useChange } from '../../data/use-change.ts'
import { causeOf } from '../../lib/error-text.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'

/** Sends the sample of an event, which then stands in the log. */
export function TestDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [type, setType] = useState(webhook.events[0] ?? webhookEventNames[0] ?? '')
  const test = useChange('webhooks.test')
  const names = [...new Set([...webhookEventNames, ...webhook.events])]
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Send a test message?"
      name={webhook.url}
      action="Send test"
      isDestructive={false}
      busy={test.isPending}
      error={test.error ? causeOf(test.error) : undefined}
      onConfirm={() =>
        test.mutate(
          { params: { id: webhook.id }, body: { type } },
          {
            onSuccess: () => {
              toast('success', 'The test is on its way', { description: 'Its answer appears in the log.' })
              onClose()
            },
          },
        )
      }
    >
      <Field
        label="Event"
        hint="It is sent once, whether or not the webhook wants this event. The webhook stays as it is, whatever is answered."
      >
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={type}
            options={names.map((name) => ({ value: name, label: name }))}
            onChange={(event) => setType(event.target.value)}
          />
        )}
      </Field>
      <CodeBlock
        label="Message"
        maxHeight="12rem"
        text={JSON.stringify({ ...sampleMessageOf(type, location.origin), test: true }, null, 2)}
      />
    </ConfirmDialog>
  )
}
