import { whenDue } from '../../../platform/db/due-work.ts'
import type { TriggerParts } from './ports.ts'
import { isPausedSql } from '../../../platform/run-pause.ts'
import { createEventWorker } from './event-worker.ts'
import { createScheduler } from './scheduler.ts'

/** A schedule may be due, or an event waits for its trigger. */
const isDue = `
  exists (select 1 from workflow_triggers t where t.next_at <= $1 and t.is_enabled and not ${isPausedSql('t.organization_id')})
  or exists (select 1 from trigger_events t where t.status = 'waiting' and not ${isPausedSql('t.organization_id')})`

/** What the server does with triggers by itself, until stopped. */
export function startTriggerJobs(parts: TriggerParts): () => Promise<void> {
  const scheduler = createScheduler(parts)
  const events = createEventWorker(parts)
  const jobs = [scheduler.runAllDue, events.runAllWaiting]
  let working: Promise<void> | undefined

  async function work(): Promise<void> {
    for (const job of jobs) {
      await job().catch((error: unknown) => {
        parts.log.debug({ err: error }, 'Triggers could not be looked after; they are tried again')
      })
    }
    working = undefined
  }
  const begin = () => {
    working ??= work()
  }
  const cancel = whenDue(parts, { isDue, begin })
  return async () => {
    cancel()
    await working
  }
}
