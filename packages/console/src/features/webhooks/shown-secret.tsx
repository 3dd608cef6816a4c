import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import type { WebhookWithSecret } from '../../data/webhooks.ts'

/** The signing secret of a webhook, once, and how a receiver verifies with it. */
export function ShownSecret({ made, onDone }: { made: WebhookWithSecret; onDone: () => void }) {
  const { webhook, secret } = made
  return (
    <Dialog
      open
      onOpenChange={() => undefined}
      title={`Copy the signing secret of ${webhook.name} now`}
      description="It is shown only here and only once. The receiver verifies by it that a message comes from this server."
      size="wide"
      isRequired
      footer={
        <Button variant="primary" onClick={onDone}>
          I have copied it
        </Button>
      }
    >
      <div className="flex flex-col gap-4 pb-1">
        <Field label="Signing secret">
          {(control) => (
            <Input
              {...control}
              readOnly
              data-initial-focus=""
              className="font-mono text-small"
              value={secret}
              trailing={<CopyButton text={secret} label="Copy signing secret" />}
              onFocus={(event) => event.target.select()}
            />
          )}
        </Field>
        <div>
          <p className="mb-1.5 font-medium">Verify with the library of Standard Webhooks</p>
          <CodeBlock label="How a receiver verifies" text={receiver} />
        </div>
      </div>
    </Dialog>
  )
}

const receiver = `import { Webhook } from 'standardwebhooks'

// Throws unless the signature fits and the message is at most five minutes old.
const { type, data } = new Webhook(process.env.BEY_WEBHOOK_SECRET)
  .verify(rawBody, request.headers)`
