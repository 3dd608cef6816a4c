import type { TriggerParts } from './ports.ts'
import { createEventWorker } from './event-worker.ts'
import { createScheduler } from './scheduler.ts'

const periodMs = 1_000

/** What the server does with triggers by itself, every second until stopped. */
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
  const cancel = parts.clock.setInterval(() => {
    working ??= work()
  }, periodMs)
  return async () => {
    cancel()
    await working
  }
}
