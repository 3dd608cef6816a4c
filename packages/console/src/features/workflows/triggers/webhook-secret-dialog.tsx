import type { Trigger } from '@bey/contract'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { webhookCommand } from './trigger-draft.ts'

export interface WebhookSecretDialogProps {
  trigger: Trigger
  secret: string
  onClose: () => void
}

/** The address and the secret of a webhook, which is shown this once, with a command that tries them. */
export function WebhookSecretDialog({ trigger, secret, onClose }: WebhookSecretDialogProps) {
  const url = `${location.origin}${trigger.hookPath ?? ''}`
  const authentication = trigger.settings.type === 'webhook' ? trigger.settings.authentication : 'hmac'
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={trigger.name}
      size="wide"
      isModalStrict
      footer={
        <Button variant="primary" onClick={onClose}>
          I have copied the secret
        </Button>
      }
    >
      <div className="flex flex-col gap-4 pb-1">
        <Notice tone="warn" title="The secret is shown this once">
          Copy it to the sender now. If it is lost, make a new one.
        </Notice>
        <div>
          <h3 className="mb-1 font-medium">Address</h3>
          <CodeBlock label="Address of the webhook" text={url} />
        </div>
        <div>
          <h3 className="mb-1 font-medium">Secret</h3>
          <CodeBlock label="Secret of the webhook" text={secret} />
        </div>
        <div>
          <h3 className="mb-1 font-medium">Try it</h3>
          <CodeBlock
            label="Command that sends the webhook"
            text={webhookCommand(url, secret, authentication)}
          />
        </div>
      </div>
    </Dialog>
  )
}
