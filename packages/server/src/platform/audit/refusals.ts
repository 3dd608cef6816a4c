import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import { audit, type AuditEntry } from './audit.ts'

/** Refusals are counted for this long before they become an entry of the audit trail. */
const countingPeriodMs = 60_000
/** What is refused beyond so many callers and reasons a minute is not recorded. */
const maxCounted = 1_000

type Counted = Pick<AuditEntry, 'organizationId' | 'actor' | 'via' | 'action' | 'target'> & {
  /** Without what differs from one time to the next: refusals of one reason are counted together. */
  reason: string
  /** What else the entry says of it. */
  diff?: Record<string, unknown>
  origin: { ip: string; userAgent: string; requestId: string }
}

export type Refusals = {
  /** Somebody known was refused something in an organization. */
  count(refusal: Counted): void
  flush(): Promise<void>
  stop(): Promise<void>
}

type RefusalParts = { database: Pick<Database, 'withTenant' | 'isUp'>; clock: Clock; log: Log }

/** Brings refusals into the audit trail, one entry a minute for each caller, address and reason. */
export function createRefusals({ database, clock, log }: RefusalParts): Refusals {
  let counts = new Map<string, Counted & { times: number }>()

  async function flush(): Promise<void> {
    const taken = counts
    counts = new Map()
    for (const counted of taken.values()) {
      if (!database.isUp()) return
      await record(counted).catch((error: unknown) =>
        log.warn({ err: error, actor: counted.actor.id }, 'Refusals were not recorded'),
      )
    }
  }

  function record({ reason, times, origin, diff, ...entry }: Counted & { times: number }): Promise<void> {
    return database.withTenant(entry.organizationId, (db) =>
      audit(db, {
        ...entry,
        ...origin,
        class: 'access',
        outcome: 'denied',
        diff: { reason, ...diff, times },
      }),
    )
  }

  const cancel = clock.setInterval(() => void flush(), countingPeriodMs)
  return {
    count(refusal) {
      const { organizationId, actor, action, reason, origin } = refusal
      const id = [organizationId, actor.type, actor.id, action, reason, origin.ip].join(' ')
      const found = counts.get(id)
      if (found) found.times += 1
      else if (counts.size < maxCounted) counts.set(id, { ...refusal, times: 1 })
    },
    flush,
    async stop() {
      cancel()
      await flush()
    },
  }
}
