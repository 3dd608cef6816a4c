import { eq } from 'drizzle-orm'
import { organizations } from '../../tables/organizations.ts'
import type { Clock } from '../clock.ts'
import type { Database, Db } from '../db/database.ts'
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
  /** The caller named the organization without belonging to it: where there is none, the server's own trail has it. */
  isForeign?: boolean
}

export type Refusals = {
  /** Somebody known was refused something in an organization. */
  count(refusal: Counted): void
  flush(): Promise<void>
  stop(): Promise<void>
}

/** The server's own trail, of what concerns no organization. */
export const serverTrail = 0

type RefusalParts = { database: Pick<Database, 'withTenant' | 'asSystem' | 'isUp'>; clock: Clock; log: Log }

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

  async function record(counted: Counted & { times: number }): Promise<void> {
    const { reason, times, origin, diff, isForeign = false, ...entry } = counted
    const denied = { ...entry, ...origin, class: 'access', outcome: 'denied' } as const
    if (!isForeign && entry.organizationId !== serverTrail) {
      await database.withTenant(entry.organizationId, (db) =>
        audit(db, { ...denied, diff: { reason, ...diff, times } }),
      )
      return
    }
    await database.asSystem('record refusals of strangers', async (db) => {
      const { organizationId } = entry
      const isThere = isForeign && (await hasOrganization(db, organizationId))
      await audit(db, {
        ...denied,
        organizationId: isThere ? organizationId : serverTrail,
        diff: { reason, ...diff, ...(isForeign && { organizationId }), times },
      })
    })
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

async function hasOrganization(db: Db, id: number): Promise<boolean> {
  const rows = await db.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, id))
  return rows.length > 0
}
