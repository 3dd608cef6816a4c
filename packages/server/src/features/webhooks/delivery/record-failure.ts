import { nextAttemptMs, webhookBounds as bounds } from '@bey/contract'
import { and, eq, sql } from 'drizzle-orm'
import { act, serverItself } from '../../../platform/act.ts'
import type { Clock } from '../../../platform/clock.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { webhookAttempts, webhookDeliveries } from '../../../tables/webhook-deliveries.ts'
import { webhooks } from '../../../tables/webhooks.ts'
import { cancelWaiting } from '../store.ts'
import type { Outcome } from './attempt.ts'
import type { Claimed } from './claim.ts'

/** Tells anyone who manages webhooks that one was disabled, in the transaction that disables it. */
export type OnDisabled = (
  db: Db,
  webhook: { organizationId: number; id: string; name: string; reason: string },
) => Promise<void>

const dayMs = 86_400_000

type Parts = { clock: Clock; onDisabled: OnDisabled; random: () => number }

/**
 * Records an attempt that failed: the log, when the next one is, and what it says of the webhook, which is disabled by
 * 410 Gone and after five days of failures alone. A test is not tried again and says nothing of the webhook. An attempt whose claim another process took over leaves only its log.
 */
export async function recordFailure(
  db: Db,
  { id, organizationId, webhookId, attempts, attemptNumber, isTest }: Claimed,
  { isSuccess: _isSuccess, ...outcome }: Outcome,
  { clock, onDisabled, random }: Parts,
): Promise<void> {
  const ofWebhook = and(eq(webhooks.organizationId, organizationId), eq(webhooks.id, webhookId))
  // First of all the webhook, so that deliveries of one never wait for each other in a circle.
  const [webhook] = await db
    .select({ name: webhooks.name, status: webhooks.status, failingSince: webhooks.failingSince })
    .from(webhooks)
    .where(ofWebhook)
    .for('update')
  // Deleted while it was sent.
  if (webhook === undefined) return
  const now = clock.now()
  await db.insert(webhookAttempts).values({
    ...outcome,
    id: uuidv7(),
    organizationId,
    deliveryId: id,
    number: attemptNumber,
    at: new Date(now.getTime() - outcome.durationMs),
  })
  const isOver = webhook.status === 'auto_disabled'
  const waitMs = isOver || isTest ? undefined : nextAttemptMs(attempts, random())
  await db
    .update(webhookDeliveries)
    .set({
      lastStatusCode: outcome.statusCode,
      lastError: outcome.error,
      lastDurationMs: outcome.durationMs,
      ...(waitMs === undefined
        ? { status: isOver ? ('cancelled' as const) : ('exhausted' as const), finishedAt: sql`now()` }
        : { status: 'retrying' as const, nextAt: sql`now() + make_interval(secs => ${waitMs / 1000})` }),
    })
    .where(
      and(
        eq(webhookDeliveries.organizationId, organizationId),
        eq(webhookDeliveries.id, id),
        eq(webhookDeliveries.status, 'sending'),
        eq(webhookDeliveries.attemptNumber, attemptNumber),
      ),
    )
  if (isTest) return
  const failingSince = webhook.failingSince ?? now
  const reason = isOver ? undefined : whyDisabled(outcome, failingSince, now)
  await db
    .update(webhooks)
    .set({
      lastAttemptAt: now,
      lastStatusCode: outcome.statusCode,
      lastSucceeded: false,
      failingSince,
      ...(reason !== undefined && { status: 'auto_disabled' as const, disabledReason: reason }),
    })
    .where(ofWebhook)
  if (reason !== undefined)
    await disable(db, { organizationId, id: webhookId, name: webhook.name, reason }, onDisabled)
}

function whyDisabled(
  { statusCode }: Pick<Outcome, 'statusCode'>,
  failingSince: Date,
  now: Date,
): string | undefined {
  if (statusCode === 410) return 'Its receiver answered 410 Gone.'
  return now.getTime() - failingSince.getTime() >= bounds.disabledAfterDays * dayMs
    ? `Every attempt of ${bounds.disabledAfterDays} days failed.`
    : undefined
}

async function disable(db: Db, webhook: Parameters<OnDisabled>[1], onDisabled: OnDisabled): Promise<void> {
  const { organizationId, id, name, reason } = webhook
  await cancelWaiting(db, organizationId, id)
  await act(db, serverItself(organizationId), {
    action: 'webhook.auto_disable',
    class: 'update',
    target: { type: 'webhook', id, name },
    diff: { reason },
  })
  await onDisabled(db, webhook)
}
