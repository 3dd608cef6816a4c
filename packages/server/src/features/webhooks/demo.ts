import { randomBytes, randomUUID } from 'node:crypto'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { DataKeys } from '../../platform/crypto/data-keys.ts'
import type { DemoPart } from '../../platform/demo.ts'
import { webhookAttempts, webhookDeliveries } from '../../tables/webhook-deliveries.ts'
import { webhooks } from '../../tables/webhooks.ts'
import { storeSecret } from './secrets.ts'

const hourMs = 3_600_000
const hooks = [
  { name: 'Chat of the team', url: 'https://chat.ostwind.example/hooks/bey', fails: 3 },
  { name: 'Ticket system', url: 'https://tickets.ostwind.example/hooks', fails: 0 },
] as const

/**
 * Two webhooks with the deliveries of some days. They are paused, so that nothing is sent to addresses that were
 * invented.
 */
export function webhooksDemo(dataKeys: DataKeys): DemoPart {
  return async (db, { organizationId, people, now }) => {
    for (const { name, url, fails } of hooks) {
      const id = randomUUID()
      const ago = (hours: number) => new Date(now.getTime() - hours * hourMs)
      await db.insert(webhooks).values({
        id,
        organizationId,
        name,
        url,
        events: ['run.updated', 'cluster.provisioning'],
        status: 'paused',
        failingSince: fails > 0 ? ago(7) : null,
        lastAttemptAt: ago(1),
        lastStatusCode: fails > 0 ? 502 : 200,
        lastSucceeded: fails === 0,
        createdBy: people.kaya.id,
        createdAt: ago(14 * 24),
      })
      await storeSecret(
        db,
        dataKeys,
        { organizationId, webhookId: id },
        `whsec_${randomBytes(24).toString('base64')}`,
      )
      for (let index = 0; index < 12; index += 1) {
        const at = ago(1 + (11 - index) * 5)
        const hasFailed = index >= 12 - fails
        // Deliveries are listed by their ids, which sort by time.
        const deliveryId = uuidv7()
        const eventId = randomUUID()
        await db.insert(webhookDeliveries).values({
          id: deliveryId,
          organizationId,
          webhookId: id,
          eventId,
          type: 'run.updated',
          payload: JSON.stringify({
            type: 'run.updated',
            timestamp: at.toISOString(),
            data: { status: index % 4 === 3 ? 'failed' : 'completed', seeded: true },
          }),
          status: hasFailed ? 'exhausted' : 'delivered',
          attempts: 1,
          attemptNumber: 1,
          nextAt: at,
          createdAt: at,
          finishedAt: at,
          lastStatusCode: hasFailed ? 502 : 200,
          lastError: hasFailed ? 'The receiver answered 502.' : null,
          lastDurationMs: hasFailed ? 5_012 : 143,
        })
        await db.insert(webhookAttempts).values({
          id: randomUUID(),
          organizationId,
          deliveryId,
          number: 1,
          at,
          durationMs: hasFailed ? 5_012 : 143,
          statusCode: hasFailed ? 502 : 200,
          error: hasFailed ? 'The receiver answered 502.' : null,
          requestHeaders: { 'content-type': 'application/json', 'webhook-id': eventId },
          responseHeaders: { 'content-type': 'text/plain' },
          responseHead: hasFailed ? 'Bad Gateway' : 'ok',
        })
      }
    }
  }
}
