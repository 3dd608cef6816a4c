import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import { whenDue } from '../../../platform/db/due-work.ts'
import type { Log } from '../../../platform/log.ts'
import { feedStreams, waitingStreams } from './feed.ts'

type FeederParts = {
  database: Pick<Database, 'asSystem' | 'isUp' | 'ownerPool'>
  clock: Clock
  log: Log
  /** Something was enqueued. */
  onEnqueued: () => void
}

export type Feeder = {
  /** Looks for what comes next now instead of at the next turn. */
  wake(): void
  stop(): Promise<void>
}

/** Turns new entries of the audit log into messages of the webhooks that stream it. Several processes share the work. */
export function startFeeder({ database, clock, log, onEnqueued }: FeederParts): Feeder {
  let feeding: Promise<void> | undefined
  let isAskedAgain = false
  let isStopped = false

  async function feed(): Promise<void> {
    do {
      isAskedAgain = false
      if ((await database.asSystem('stream the audit log', feedStreams)) > 0) onEnqueued()
    } while (isAskedAgain && !isStopped)
  }

  function wake(): void {
    if (isStopped || !database.isUp()) return
    isAskedAgain = true
    feeding ??= feed()
      .catch((error: unknown) => log.warn({ err: error }, 'The audit log could not be streamed'))
      .finally(() => (feeding = undefined))
  }
  const isDue = `exists (select 1 ${waitingStreams})`
  const cancel = whenDue({ database, clock, log }, { isDue, begin: wake })
  return {
    wake,
    async stop() {
      isStopped = true
      cancel()
      await feeding
    },
  }
}
