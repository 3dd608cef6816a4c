import { databaseMetrics, type WaitClass, waitClasses, waitClassOf } from '@bey/contract'

import type { Sample } from '../../../platform/metrics/metrics.ts'

/** Sessions at work as they were seen at one moment: how many do the same and wait for the same. */
export type SeenSessions = {
  queryId: string | null
  waitType: string | null
  client: string
  count: number
  /** The longest of them has waited for its lock so long; 0 where they wait for none. */
  lockMs: number
}

export type WaitSeconds = Record<WaitClass, number>
export type StatementLoad = { seconds: WaitSeconds; issuers: Map<string, Date> }

export const noLoad = (): WaitSeconds => ({ cpu: 0, io: 0, lock: 0, other: 0 })

/** Statements whose load is remembered until they are counted. */
const maxStatements = 1_000

/** Sums of what was seen, once a second: of the database for 15 s, of its statements until they are taken. */
export function createLoadSums() {
  let looks = 0
  let whole = noLoad()
  let lockMs = 0
  const statements = new Map<string, StatementLoad>()

  return {
    add(seen: readonly SeenSessions[], at: Date): void {
      looks += 1
      for (const { queryId, waitType, client, count, lockMs: waitedMs } of seen) {
        const wait = waitClassOf(waitType)
        whole[wait] += count
        lockMs = Math.max(lockMs, waitedMs)
        if (queryId === null || queryId === '0') continue
        if (!statements.has(queryId) && statements.size >= maxStatements) continue
        const statement = statements.get(queryId) ?? { seconds: noLoad(), issuers: new Map() }
        statement.seconds[wait] += count
        statement.issuers.set(client, at)
        statements.set(queryId, statement)
      }
    },
    /** What the store of metrics gets of the last 15 s; nothing where nobody looked. */
    takeSamples(): Sample[] {
      if (looks === 0) return []
      const samples: Sample[] = waitClasses.map((wait) => ({
        metric: databaseMetrics.load,
        labels: { wait },
        value: whole[wait] / looks,
      }))
      samples.push({ metric: databaseMetrics.lockWait, value: lockMs })
      looks = 0
      whole = noLoad()
      lockMs = 0
      return samples
    },
    /** What was seen of these statements. Others stay: one that still runs for the first time is not counted yet. */
    takeStatements(queryIds: ReadonlySet<string>): Map<string, StatementLoad> {
      const taken = new Map([...statements].filter(([queryId]) => queryIds.has(queryId)))
      for (const queryId of taken.keys()) statements.delete(queryId)
      return taken
    },
  }
}

export type LoadSums = ReturnType<typeof createLoadSums>
