import { deliverEvents } from './features/workflows/engine/flow/deliver-events.ts'
import { healthEvent, isTriggerEvent, keepForTriggers } from './features/workflows/triggers/event-rules.ts'
import type { HealthMessage } from '@bey/contract'
import { redactText } from '@bey/contract/base/redact-text'
import type { Db } from './platform/db/database.ts'
import { publishAll } from './platform/live/publish.ts'
import { enqueue, messageOf } from './platform/webhooks/enqueue.ts'

type HealthMove = Parameters<typeof healthEvent>[0]

/** Publishes events to sockets and webhooks, and to the workflows that wait for them or are started by them. */
export const publishEvents: typeof publishAll = async (db, events) => {
  const awaited = events.filter(isTriggerEvent)
  // One statement for nearly all, and sent at once: some callers send their commit right behind it.
  if (awaited.length === 0) return publishAll(db, events)
  // Sent together, for the transaction holds its locks until they are answered.
  await Promise.all([publishAll(db, events), keepForTriggers(db, awaited), deliverEvents(db, awaited)])
}

/** Passes a change of a cluster's health to webhooks, and to the workflows that wait for it or are started by it. */
export async function publishHealthMove(db: Db, move: HealthMove): Promise<void> {
  const event = healthEvent(move)
  await enqueue(db, [healthMessage(move)])
  await keepForTriggers(db, [event])
  await deliverEvents(db, [event])
}

function healthMessage({ cluster, to, health }: HealthMove) {
  const { state, reason, detail, since, object } = health
  const data: HealthMessage = {
    clusterId: cluster.id,
    health: state,
    reason,
    detail: detail === null ? null : redactText(detail),
    since,
    object,
  }
  return messageOf(cluster.organizationId, to === 'trouble' ? 'health.failing' : 'health.recovered', data)
}
