import type { Clock } from '../clock.ts'
import { uuidv7 } from '../crypto/uuid.ts'
import type { Database } from '../db/database.ts'
import { violatedConstraint } from '../db/failure.ts'
import type { Log } from '../log.ts'
import { recordUsage, type UsageEvent } from './record.ts'

const everyMs = 60_000
/** Callers that are counted apart between two writes; the others of an organization are counted together. */
const maxCounted = 10_000
const maxUnwritten = 10_000

type Counted = { organizationId: number; person: { id: number; name: string } | undefined; calls: number }

export type ApiCalls = {
  /** A request of an organization was answered. */
  count(organizationId: number, person: { id: number; name: string }): void
  flush(): Promise<void>
  stop(): Promise<void>
}

/** Adds up requests to the API and writes them into the ledger every minute; what a killed process counted is lost. */
export function countApiCalls(deps: {
  database: Pick<Database, 'withTenant' | 'isUp'>
  clock: Clock
  log: Log
}): ApiCalls {
  const { database, clock, log } = deps
  const processId = uuidv7()
  let counts = new Map<string, Counted>()
  /** Of one organization each, until they are written: what is tried again has the same ids, and so counts once. */
  let unwritten: { organizationId: number; events: UsageEvent[] }[] = []
  let number = 0
  let working: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    number += 1
    const at = clock.now()
    const taken = counts
    counts = new Map()
    for (const [organizationId, all] of Map.groupBy(taken.values(), (each) => each.organizationId)) {
      unwritten.push({
        organizationId,
        events: all.map(({ person, calls }) => ({
          source: 'api',
          id: `${processId}/${number}/${person?.id ?? 'others'}`,
          meter: 'api_calls',
          value: String(calls),
          at,
          subject: { person },
        })),
      })
    }
    if (!database.isUp()) return
    const tried = unwritten
    unwritten = []
    for (const each of tried) {
      const { organizationId, events } = each
      await database
        .withTenant(organizationId, (db) => recordUsage(db, organizationId, events))
        .catch((error: unknown) => {
          // The organization was deleted meanwhile.
          if (violatedConstraint(error) !== undefined) return
          log.debug({ err: error, organizationId }, 'API calls were not written; the next minute tries again')
          unwritten.push(each)
        })
    }
    unwritten = unwritten.slice(-maxUnwritten)
  }

  function add(organizationId: number, person: Counted['person'], calls: number): void {
    const key = `${organizationId}/${person?.id ?? ''}`
    const found = counts.get(key)
    if (found) found.calls += calls
    else if (counts.size < maxCounted || person === undefined)
      counts.set(key, { organizationId, person, calls })
    else add(organizationId, undefined, calls)
  }

  const flush = () => (working = working.then(write))
  const cancel = clock.setInterval(() => void flush(), everyMs)
  return {
    count: (organizationId, { id, name }) => add(organizationId, { id, name }, 1),
    flush,
    async stop() {
      cancel()
      await flush()
    },
  }
}
