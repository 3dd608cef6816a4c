import type { WebhookWithSecret } from '../../data/webhooks.ts'
import { ShownOnceDialog } from '../../ui/shown-once-dialog.tsx'

/** The signing secret of a webhook, once, and how a receiver verifies with it. */
export function ShownSecret({ made, onDone }: { made: WebhookWithSecret; onDone: () => void }) {
  const { webhook, secret } = made
  return (
    <ShownOnceDialog
      title={`Copy the signing secret of ${webhook.name} now`}
      description="It is shown only here and only once. The receiver verifies by it that a message comes from this server."
      label="Signing secret"
      value={secret}
      copyLabel="Copy signing secret"
      example={{
        heading: 'Verify with the library of Standard Webhooks',
        label: 'How a receiver verifies',
        text: receiver,
      }}
      onDone={onDone}
    />
  )
}

const receiver = `import { Webhook } from 'standardwebhooks'

// Throws unless the signature fits and the message is at most five minutes old.
const { type, data } = new Webhook(process.env.BEY_WEBHOOK_SECRET)
  .verify(rawBody, request.headers)`
