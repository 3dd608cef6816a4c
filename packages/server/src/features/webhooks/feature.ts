import { auditEntriesEvent, webhookBounds } from '@bey/contract'
import type { Feature, Parts } from '../../feature.ts'
import type { DataKeys } from '../../platform/crypto/data-keys.ts'
import { webhookBelongings } from './belongings.ts'
import { webhooksDemo } from './demo.ts'
import { startFeeder } from './audit-stream/feeder.ts'
import type { OnDisabled } from './delivery/record-failure.ts'
import { startSender } from './delivery/sender.ts'
import { createWebhookLogService } from './log-service.ts'
import { webhookRoutes } from './routes.ts'
import { createWebhookService } from './service.ts'
import { deleteOldDeliveries } from './store.ts'
import { webhookResources } from './resources.ts'

type WebhookNeeds = { dataKeys: DataKeys; onDisabled: OnDisabled; baseUrl: () => string }

const deletedAtOnce = 5_000

/** Webhooks: events are enqueued by `platform/webhooks` in their own transactions, and sent from here. */
export function webhooksFeature(
  { database, outbound, refusals, clock, log }: Parts,
  { dataKeys, onDisabled, baseUrl }: WebhookNeeds,
) {
  const feeder = startFeeder({ database, clock, log, onEnqueued: () => wake() })
  const sender = startSender({
    database,
    dataKeys,
    outbound,
    clock,
    log,
    onDisabled,
    baseUrl,
    // The next entries of a stream need not wait for the feeder's turn.
    onSent: ({ type }) => (type === auditEntriesEvent ? feeder.wake() : undefined),
  })
  const { wake } = sender
  return {
    handlers: webhookRoutes(
      createWebhookService({ database, dataKeys, outbound, refusals, wake }),
      createWebhookLogService({ database, wake, baseUrl }),
    ),
    /** Deliveries 30 days after their end, in portions that hold no lock for long. */
    async retention(now: Date) {
      const before = new Date(now.getTime() - webhookBounds.keptDays * 86_400_000)
      let deleted: number
      do {
        deleted = await database.asSystem('delete old webhook deliveries', (db) =>
          deleteOldDeliveries(db, before, deletedAtOnce),
        )
      } while (deleted === deletedAtOnce)
    },
    belongings: [webhookBelongings],
    demo: webhooksDemo(dataKeys),
    inventory: [webhookResources(database)],
    async close() {
      await feeder.stop()
      await sender.stop()
    },
  } satisfies Feature
}
