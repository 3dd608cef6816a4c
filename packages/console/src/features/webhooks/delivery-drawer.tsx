import type { Webhook, WebhookAttempt } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { RotateCw } from 'lucide-react'
import { useRole } from '../../data/session.ts'
import { useChange } from '../../data/use-change.ts'
import { useRead } from '../../data/use-read.ts'
import { causeOf } from '../../lib/error-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock, Identifier } from '../../ui/code-block.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { prettyJson } from './webhook-text.ts'

export interface DeliveryDrawerProps {
  webhook: Webhook
  deliveryId: string
  onClose: () => void
}

/** One message with every attempt: what was sent, what was answered, and how long it took. */
export function DeliveryDrawer({ webhook, deliveryId, onClose }: DeliveryDrawerProps) {
  const query = useRead('webhooks.delivery', { params: { id: webhook.id, deliveryId } })
  const failure = failureOf('Failed to fetch the delivery', query)
  const replay = useChange('webhooks.replay')
  const denied = deniedReason(useRole(), 'webhooks.manage')
  const delivery = query.data
  const isOn = webhook.status === 'enabled' || webhook.status === 'failing'
  const isWaiting = delivery?.status === 'pending' || delivery?.status === 'sending'
  return (
    <Drawer
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={delivery?.type ?? 'Delivery'}
      aside={delivery ? <Status status={delivery.status} of="run" variant="badge" /> : null}
      footer={
        <Button
          icon={<RotateCw size={14} aria-hidden />}
          busy={replay.isPending}
          disabledReason={
            denied ??
            (isOn ? undefined : 'Nothing is sent while the webhook is off.') ??
            (isWaiting ? 'It is already on its way.' : undefined)
          }
          onClick={() => replay.mutate({ params: { id: webhook.id }, body: { deliveryId } })}
        >
          Replay
        </Button>
      }
    >
      <div className="flex flex-col gap-6">
        {failure ? <ErrorState {...failure} /> : null}
        {replay.error ? (
          <Notice tone="danger" title="It was not sent again">
            {causeOf(replay.error)}
          </Notice>
        ) : null}
        {delivery ? (
          <>
            <Facts
              facts={[
                {
                  label: 'webhook-id',
                  value: <Identifier value={delivery.eventId} keep={6} label="Copy webhook-id" />,
                },
                { label: 'Event at', value: <RelativeTime at={delivery.createdAt} /> },
                { label: 'Next attempt', value: <RelativeTime at={delivery.nextAttemptAt} /> },
              ]}
            />
            <Section title="Message">
              <CodeBlock label="Body as it is sent" maxHeight="14rem" text={prettyJson(delivery.payload)} />
            </Section>
            {delivery.log.toReversed().map((attempt) => (
              <Attempt key={attempt.number} attempt={attempt} />
            ))}
          </>
        ) : null}
      </div>
    </Drawer>
  )
}

function Attempt({ attempt }: { attempt: WebhookAttempt }) {
  const { number, at, durationMs, statusCode, error, requestHeaders, responseHeaders, responseHead } = attempt
  const hasAnswer = statusCode !== null
  return (
    <Section title={`Attempt ${number}`} aside={<RelativeTime at={at} />}>
      <div className="flex flex-col gap-2">
        <p>
          {error ?? `Answered ${statusCode}.`} <span className="text-text-3">{durationMs} ms</span>
        </p>
        <CodeBlock label={`Request of attempt ${number}`} maxHeight="10rem" text={headText(requestHeaders)} />
        {hasAnswer ? (
          <CodeBlock
            label={`Answer to attempt ${number}`}
            maxHeight="14rem"
            text={`${statusCode}\n${headText(responseHeaders)}${responseHead ? `\n\n${responseHead}` : ''}`}
          />
        ) : null}
      </div>
    </Section>
  )
}

function headText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
