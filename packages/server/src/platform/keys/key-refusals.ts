import { audit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { KeyRights } from './key-rights.ts'

/** Refusals are counted for this long before they become an entry of the audit trail. */
const countingPeriodMs = 60_000
/** What is refused beyond so many keys and reasons a minute is not recorded. */
const maxCounted = 1_000

type Origin = { ip: string; userAgent: string; requestId: string }
type Counted = { organizationId: number; key: Pick<KeyRights, 'id' | 'name'>; reason: string; origin: Origin }

export type KeyRefusals = {
  /** A live key was refused something. */
  count(refusal: Counted): void
  flush(): Promise<void>
  stop(): Promise<void>
}

/** Brings refusals of API keys into the audit trail, one entry a minute for each key and reason. */
export function createKeyRefusals(
  database: Pick<Database, 'withTenant' | 'isUp'>,
  clock: Clock,
  log: Log,
): KeyRefusals {
  let counts = new Map<string, Counted & { times: number }>()

  async function flush(): Promise<void> {
    const taken = counts
    counts = new Map()
    for (const counted of taken.values()) {
      if (!database.isUp()) return
      await record(counted).catch((error: unknown) =>
        log.warn({ err: error, keyId: counted.key.id }, 'Refusals of an API key were not recorded'),
      )
    }
  }

  function record({
    organizationId,
    key,
    reason,
    origin,
    times,
  }: Counted & { times: number }): Promise<void> {
    return database.withTenant(organizationId, (db) =>
      audit(db, {
        organizationId,
        actor: { type: 'api_key', id: key.id, display: key.name },
        via: 'api',
        action: 'api_key.refused',
        class: 'access',
        outcome: 'denied',
        target: { type: 'apiKey', id: key.id, name: key.name },
        ...origin,
        diff: { reason, times },
      }),
    )
  }

  const cancel = clock.setInterval(() => void flush(), countingPeriodMs)
  return {
    count(refusal) {
      const id = `${refusal.key.id} ${refusal.reason}`
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
