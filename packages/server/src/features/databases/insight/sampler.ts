import { availableParallelism } from 'node:os'
import { databaseMetrics } from '@bey/contract'

import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { DatabaseRow } from '../store.ts'
import { createLoadSums, type LoadSums, type SeenSessions, type StatementLoad } from './load.ts'
import { type KeptTree, keptTree } from './lock-minutes.ts'
import type { MonitorClient, MonitorConnections } from './monitor-connections.ts'
import { readSessions } from './sessions.ts'

const periodMs = 1_000
const stepMs = 15_000
/** A database is looked at each 15 s by one of the processes: the one that did samples it until another does. */
const keptMs = 25_000

/** Shorter waits are usual; their tree is gone before it is read. */
const leastWaitMs = 1_000

type Window = {
  row: DatabaseRow
  untilMs: number
  sums: LoadSums
  isAsking: boolean
  step: number
  /** When the tree of locks was last read, in steps. */
  lockStep: number
  /** The tree that is kept of the minute in which it was read. */
  keptLocks: Pick<KeptTree, 'at' | 'waiting'> | undefined
}
type SamplerParts = {
  /** Keeps who waits for whom at a moment, in the place of an earlier one of its minute. */
  keepLocks: (row: DatabaseRow, tree: KeptTree, replaced: Date | undefined) => Promise<void>
  monitors: MonitorConnections
  metrics: Pick<Metrics, 'write'>
  clock: Clock
  log: Log
}

/** Looks once a second at what sessions of databases wait for. */
export function createSampler({ monitors, metrics, clock, log, keepLocks }: SamplerParts) {
  const windows = new Map<string, Window>()
  const writing = new Set<Promise<void>>()
  /** Metrics are stored by steps of the time of day. */
  const stepNow = () => Math.floor(clock.now().getTime() / stepMs)

  async function look(window: Window): Promise<void> {
    // A server that answers slowly is asked less often.
    if (window.isAsking) return
    window.isAsking = true
    try {
      const seen = await monitors.use(window.row, readSeen)
      window.sums.add(seen, clock.now())
      if (seen.some(({ lockMs }) => lockMs >= leastWaitMs)) await lookAtLocks(window)
    } catch (error) {
      // The next look of the watch begins anew, and says what is wrong.
      windows.delete(window.row.id)
      log.debug({ err: error, databaseId: window.row.id }, 'The load of a database could not be sampled')
    } finally {
      window.isAsking = false
    }
  }

  /** Each 15 s while somebody waits: of each minute the tree with the most who wait is kept. */
  async function lookAtLocks(window: Window): Promise<void> {
    const at = clock.now()
    const step = Math.floor(at.getTime() / stepMs)
    if (window.lockStep === step) return
    window.lockStep = step
    const { sessions, total } = await monitors.use(window.row, readSessions)
    const tree = keptTree(sessions, total, at)
    const known = window.keptLocks
    const before = known && isSameMinute(known.at, at) ? known : undefined
    if (tree === undefined || (before && before.waiting >= tree.waiting)) return
    window.keptLocks = tree
    const work = keepLocks(window.row, tree, before?.at).catch((error: unknown) =>
      log.debug({ err: error, databaseId: window.row.id }, 'The locks of a database could not be stored'),
    )
    writing.add(work)
    void work.finally(() => writing.delete(work))
  }

  async function flush({ row, sums }: Window, atMs: number): Promise<void> {
    const samples = sums.takeSamples()
    if (samples.length === 0) return
    if (row.provider === 'embedded')
      samples.push({ metric: databaseMetrics.cores, value: availableParallelism() })
    await metrics.write(row.organizationId, { type: 'database', id: row.id }, new Date(atMs), samples)
  }

  function tick(): void {
    const nowMs = clock.monotonicMs()
    const step = stepNow()
    for (const [id, window] of windows) {
      if (window.step !== step) {
        const work = flush(window, window.step * stepMs).catch((error: unknown) =>
          log.debug({ err: error, databaseId: id }, 'The load of a database could not be stored'),
        )
        writing.add(work)
        void work.finally(() => writing.delete(work))
        window.step = step
      }
      if (window.untilMs < nowMs) windows.delete(id)
      else void look(window)
    }
  }

  const cancel = clock.setInterval(tick, periodMs)
  return {
    /** Samples a database whose server has just answered, for the time until it is looked at again. */
    keep(row: DatabaseRow): void {
      const untilMs = clock.monotonicMs() + keptMs
      const known = windows.get(row.id)
      // The same object: a question that is under way ends in it.
      if (known) Object.assign(known, { row, untilMs })
      else {
        windows.set(row.id, {
          row,
          untilMs,
          sums: createLoadSums(),
          isAsking: false,
          step: stepNow(),
          lockStep: 0,
          keptLocks: undefined,
        })
      }
    },
    /** What was seen of these statements of a database since they were last asked for. */
    takeStatements: (id: string, queryIds: ReadonlySet<string>): Map<string, StatementLoad> =>
      windows.get(id)?.sums.takeStatements(queryIds) ?? new Map(),
    async stop(): Promise<void> {
      cancel()
      windows.clear()
      await Promise.all(writing)
    },
  }
}

const isSameMinute = (a: Date, b: Date) =>
  Math.floor(a.getTime() / 60_000) === Math.floor(b.getTime() / 60_000)

/** `query_id` exists from PostgreSQL 14 on. */
const seenSql = (version: number) => `/* bey-monitor */
  select ${version >= 140_000 ? 'query_id::text' : 'null::text'} as "queryId", wait_event_type as "waitType",
    coalesce(nullif(application_name, ''), usename::text, '') as client, count(*)::int as count,
    coalesce(max(case when wait_event_type = 'Lock' then extract(epoch from clock_timestamp() - query_start) * 1000 end), 0)::float8
      as "lockMs"
  from pg_stat_activity
  where state = 'active' and pid <> pg_backend_pid() and datname = current_database()
    and backend_type in ('client backend', 'parallel worker') and coalesce(application_name, '') !~ '^bey-monitor'
  group by 1, 2, 3`

async function readSeen({ client, version }: MonitorClient): Promise<SeenSessions[]> {
  const { rows } = await client.query<SeenSessions>(seenSql(version))
  return rows
}
