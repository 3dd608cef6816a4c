import type { Db } from '../../../platform/db/database.ts'
import { rateBuckets } from '../../../platform/rate-buckets.ts'
import { inSnakeCase } from '../runs/event-value.ts'
import { fire } from './fire.ts'
import type { TriggerParts } from './ports.ts'
import { lockTrigger, mayFire, settleArrival, takeWaitingArrival } from './store.ts'

/** Runs that one trigger starts by events: enough for any real use, and an end to workflows that start each other. */
const limit = { burst: 60, perSecond: 1 }
const eventsAtOnce = 200

/** Starts runs for the events that wait for triggers, each in one transaction with what becomes of it. */
export function createEventWorker(parts: TriggerParts) {
  const { database, clock } = parts
  const buckets = rateBuckets(clock, limit, 10_000)

  async function runAllWaiting(): Promise<void> {
    for (let count = 0; count < eventsAtOnce; count += 1) {
      const isDone = await database.asSystem('start runs for events', runNext)
      if (isDone) return
    }
  }

  /** True when none waits. */
  async function runNext(db: Db): Promise<boolean> {
    const arrival = await takeWaitingArrival(db)
    if (arrival === undefined) return true
    const { id, organizationId, triggerId, payload } = arrival
    const trigger = await lockTrigger(db, organizationId, triggerId)
    if (trigger === undefined || !mayFire(trigger)) {
      await settleArrival(db, id, { status: 'ignored', note: 'The trigger or its workflow is not active.' })
    } else if (!buckets.take(triggerId).isAllowed) {
      const note = 'Left out: the trigger fired more than 60 times within a minute.'
      await settleArrival(db, id, { status: 'failed', note })
    } else {
      await settleArrival(
        db,
        id,
        trigger.settings.type === 'webhook'
          ? // It arrived while a budget paused new runs.
            await fire(parts, db, trigger, 'webhook', payload)
          : // One that was kept before its fields were snake case.
            await fire(parts, db, trigger, 'event', { event: inSnakeCase(payload) }),
      )
    }
    return false
  }

  return { runAllWaiting }
}
