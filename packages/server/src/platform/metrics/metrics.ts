import { sql } from 'drizzle-orm'

import { measuredTypes } from '@bey/contract/metrics/measured'
import { measuredTables } from '../../tables/entity-tables.ts'
import type { SeriesSpan } from '../../tables/metric-series.ts'
import type { Clock } from '../clock.ts'
import type { Database, Db } from '../db/database.ts'
import type { Log } from '../log.ts'
import { dropPartitions, makePartitions } from './partitions.ts'
import { type PointStore, type ReadTenant, tablePoints } from './points.ts'
import { type AskedSeries, findPlaces, type Points, type ReadRange } from './read.ts'
import { remotePoints, type RemoteStore } from './remote/remote-points.ts'
import { rollUp } from './roll-up.ts'
import type { MeasuredEntity, Quota, SeriesName } from './series.ts'
import { steps } from './steps.ts'
import { createWriter, type WriteOutcome } from './writer.ts'

/** One value of a series. `span` says how long it is kept, a year by default; it is settled by the first value. */
export type Sample = SeriesName & { value: number; span?: SeriesSpan }

/** How much an organization has, and when something was last refused for want of room. */
type MetricsUsage = { series: number; maxSeries: number; refusedAt: Date | null; refusedCount: number }

/**
 * What is measured over time, of any entity: every 15 s for 2 h, a minute for 2 d and an hour for a year. Collectors
 * write in batches, readers ask for ranges; a step in which nothing was measured stays empty.
 */
export type Metrics = {
  /** Where the values are; expressions read them there. */
  points: PointStore
  /**
   * Writes values of one moment, of one entity. A second value of a series in the same 15 s replaces the first. What
   * does not fit (too old, in the future, no number, beyond the quota) is refused and counted, the rest is written.
   */
  write(
    organizationId: number,
    entity: MeasuredEntity,
    at: Date,
    samples: readonly Sample[],
  ): Promise<WriteOutcome>
  /** In the order asked. The range is one of `alignedRange`. */
  read(organizationId: number, asked: readonly AskedSeries[], range: ReadRange): Promise<Points[]>
  usage(organizationId: number): Promise<MetricsUsage>
  /** Forgets what this process remembers of an entity whose collector has stopped. */
  release(organizationId: number, entity: MeasuredEntity): void
  /** Rolls up what is due. Runs by itself every 15 s. */
  rollUp(): Promise<void>
  /** Drops what has run out; called by the retention of the server. */
  sweep(now: Date): Promise<void>
  stop(): Promise<void>
}

/** A cluster with 10,000 pods, 1,000 nodes and 1,500 workloads has 36,000. */
const defaultQuota: Quota = { series: 100_000, ofDays: 80_000 }

export async function openMetrics(deps: {
  database: Database
  clock: Clock
  log: Log
  quota?: Quota
  /** Where values are kept instead of PostgreSQL. */
  remote?: RemoteStore | undefined
}): Promise<Metrics> {
  const { database, clock, log, quota = defaultQuota, remote } = deps
  const points = remote ? remotePoints(database, remote, { clock, log }) : tablePoints(database)
  await makeRoom()
  const writer = createWriter({ points, clock, quota, makeRoom })
  let round: Promise<void> = Promise.resolve()
  let isStopped = false

  function makeRoom(): Promise<void> {
    return database.asSystem('make partitions of metrics', (db) => makePartitions(db, clock.now()))
  }

  function nextRound(work: () => Promise<void>): Promise<void> {
    const done = round.then(() => (isStopped ? undefined : work()))
    round = done.catch((error: unknown) =>
      log.debug({ err: error }, 'Metrics were not rolled up; the next round tries again'),
    )
    return done
  }

  // A store of its own rolls up, and forgets, by itself.
  const rollUpOwn = (now: Date) => (points.isRemote ? Promise.resolve() : rollUp(database, now))
  const cancel = clock.setInterval(() => {
    nextRound(() => rollUpOwn(clock.now())).catch(() => undefined)
  }, steps.sample.stepMs)

  return {
    write: writer.write,
    release: writer.release,
    points,
    async read(organizationId, asked, range) {
      const readTenant: ReadTenant = (work) => database.readTenant(organizationId, work)
      const places = await readTenant((db) => findPlaces(db, organizationId, asked))
      const nowMs = clock.now().getTime()
      return points.read(readTenant, organizationId, places, range, { nowMs, includesMaxima: true })
    },
    usage: (organizationId) =>
      database.readTenant(organizationId, async (db) => {
        const { rows } = await db.execute<{ series: number; refused_ms: number | null; count: number }>(sql`
          select (select count(*)::int from metric_series s where s.organization_id = ${organizationId}) as series,
            extract(epoch from q.refused_at)::float8 * 1000 as refused_ms, coalesce(q.refused_count, 0) as count
          from (select 1) one left join metric_quotas q on q.organization_id = ${organizationId}`)
        const [row] = rows
        return {
          series: row?.series ?? 0,
          maxSeries: quota.series,
          refusedAt: row?.refused_ms == null ? null : new Date(row.refused_ms),
          refusedCount: row?.count ?? 0,
        }
      }),
    rollUp: () => nextRound(() => rollUpOwn(clock.now())),
    sweep: (now) =>
      nextRound(async () => {
        // First what the samples that run out become.
        await rollUpOwn(now)
        await database.asSystem('retention of metrics', async (db) => {
          await makePartitions(db, now)
          await dropPartitions(db, now)
        })
        await database.asSystem('retention of metrics', (db) => forgetSeries(db, now))
      }),
    async stop() {
      isStopped = true
      cancel()
      await round
      await points.stop()
    },
  }
}

/** Series whose last point has run out, and those of entities that are gone; the points go with their partitions. */
async function forgetSeries(db: Db, now: Date): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  await db.execute(sql`
    delete from metric_series
    where (span = 'days' and last_seen_at < ${before(steps.minute.keptMs + steps.hour.stepMs)})
       or (span = 'year' and last_seen_at < ${before(steps.hour.keptMs + steps.hour.stepMs)})`)
  for (const type of measuredTypes) {
    const { name, id = 'id', deletedAt } = measuredTables[type]
    await db.execute(sql`
      delete from metric_series s where s.entity_type = ${type} and not exists (
        select from ${sql.raw(name)} t where t.organization_id = s.organization_id
          and t.${sql.raw(id)}::text = s.entity_id and ${sql.raw(deletedAt === undefined ? 'true' : `${deletedAt} is null`)})`)
  }
  await db.execute(sql`delete from metric_pending where at < ${before(steps.minute.keptMs)}`)
}
