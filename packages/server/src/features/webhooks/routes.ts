import { webhookEvents } from '@bey/contract'
import type { Handlers } from '../../platform/http/handlers.ts'
import type { WebhookLogService } from './log-service.ts'
import type { WebhookService } from './service.ts'

type Names =
  | 'webhooks.events'
  | 'webhooks.list'
  | 'webhooks.get'
  | 'webhooks.create'
  | 'webhooks.update'
  | 'webhooks.rotateSecret'
  | 'webhooks.delete'
  | 'webhooks.test'
  | 'webhooks.deliveries'
  | 'webhooks.delivery'
  | 'webhooks.replay'

export function webhookRoutes(webhooks: WebhookService, log: WebhookLogService): Handlers<Names> {
  return {
    'webhooks.events': async () => ({
      events: webhookEvents.map(({ name, about, sample, statuses = [] }) => ({
        name,
        about,
        sample: { ...sample },
        statuses: [...statuses],
      })),
    }),
    'webhooks.list': ({ caller, query }) => webhooks.list(caller, query),
    'webhooks.get': ({ caller, params }) => webhooks.get(caller, params.id),
    'webhooks.create': ({ caller, body }) => webhooks.create(caller, body),
    'webhooks.update': ({ caller, params, body }) => webhooks.update(caller, params.id, body),
    'webhooks.rotateSecret': ({ caller, params, body }) =>
      webhooks.rotateSecret(caller, params.id, body.overlapHours),
    'webhooks.delete': async ({ caller, params }) => {
      await webhooks.delete(caller, params.id)
      return null
    },
    'webhooks.test': ({ caller, params, body }) => log.test(caller, params.id, body.type),
    'webhooks.deliveries': ({ caller, params, query }) => log.deliveries(caller, params.id, query),
    'webhooks.delivery': ({ caller, params }) => log.delivery(caller, params.id, params.deliveryId),
    'webhooks.replay': ({ caller, params, body }) => log.replay(caller, params.id, body),
  }
}
