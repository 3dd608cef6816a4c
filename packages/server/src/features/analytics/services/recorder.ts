import { organizationMetrics } from '@bey/contract'
import { sql } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { Metrics, Sample } from '../../../platform/metrics/metrics.ts'
import { readThings, type ServiceHealth } from './things.ts'

const everyMs = 60_000
/** Workflows that have series of their own; the others count in those without a label. */
const maxWorkflows = 100

export type RecorderParts = ServiceHealth & {
  database: Pick<Database, 'readTenant' | 'asSystem'>
  metrics: Pick<Metrics, 'write'>
  clock: Clock
  log: Log
}

/**
 * Writes how the services of each organization are, and what its runs did, every minute. Several processes may: a second
 * value of the same 15 s takes the place of the first.
 */
export function recordServices(parts: RecorderParts): { stop(): Promise<void> } {
  const { database, clock, log } = parts
  let working: Promise<void> | undefined
  let isStopped = false

  async function round(): Promise<void> {
    const now = clock.now()
    const ids = await database.asSystem('list organizations that have something to record', listRecorded)
    for (const id of ids) {
      if (isStopped) return
      await recordOrganization(parts, id, now).catch((error: unknown) =>
        log.debug({ err: error, organizationId: id }, 'The services of an organization were not recorded'),
      )
    }
  }

  const cancel = clock.setInterval(() => {
    working ??= round()
      .catch((error: unknown) =>
        log.debug({ err: error }, 'Services were not recorded; the next round tries again'),
      )
      .finally(() => (working = undefined))
  }, everyMs)
  return {
    async stop() {
      isStopped = true
      cancel()
      await working
    },
  }
}

/** An organization that has nothing yet costs no query a minute. */
async function listRecorded(db: Db): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select o.id from organizations o
    where exists (select from clusters t where t.organization_id = o.id and t.deleted_at is null)
      or exists (select from databases t where t.organization_id = o.id and t.deleted_at is null)
      or exists (select from networks t where t.organization_id = o.id)
      or exists (select from secrets t where t.organization_id = o.id and t.status = 'active')
      or exists (select from workflow_runs t where t.organization_id = o.id)
    order by o.id`)
  return rows.map(({ id }) => id)
}

/** Writes the values of one moment of one organization. */
export async function recordOrganization(
  parts: Omit<RecorderParts, 'log' | 'clock'>,
  organizationId: number,
  now: Date,
): Promise<void> {
  const [things, runs] = await Promise.all([
    readThings(parts, organizationId, now),
    parts.database.readTenant(organizationId, (db) => countRuns(db, organizationId, now)),
  ])
  const samples: Sample[] = things
    .filter(({ total }) => total > 0)
    .flatMap(({ service, total, failing, degraded, unknown }) => {
      const healthy = Math.max(0, total - failing - degraded - unknown)
      return Object.entries({ failing, degraded, unknown, healthy }).map(([health, value]) => ({
        metric: organizationMetrics.thingsByHealth,
        labels: { service, health },
        value,
      }))
    })
  samples.push(...runSamples(runs))
  await parts.metrics.write(
    organizationId,
    { type: 'organization', id: String(organizationId) },
    now,
    samples,
  )
}

type RunCounts = {
  workflow: string
  started: number
  ended: number
  failed: number
  seconds: number | null
  active: number
  queued: number
}

/**
 * What the runs of each workflow did in the minute before, and how many are under way: of workflows that ran within a day,
 * those without a run in this minute too, for an average of an hour would else leave out its quiet minutes.
 */
async function countRuns(db: Db, organizationId: number, now: Date): Promise<RunCounts[]> {
  const [from, to] = [new Date(now.getTime() - everyMs).toISOString(), now.toISOString()]
  const dayAgo = new Date(now.getTime() - 86_400_000).toISOString()
  const { rows } = await db.execute<RunCounts>(sql`
    with started as (
      select workflow_id, count(*)::int as count from workflow_runs
      where organization_id = ${organizationId} and queued_at > ${from} and queued_at <= ${to} group by 1
    ), ended as (
      select workflow_id, count(*)::int as count,
        count(*) filter (where status in ('failed', 'timed_out'))::int as failed,
        avg(extract(epoch from finished_at - coalesce(started_at, queued_at)))::float8 as seconds
      from workflow_runs
      where organization_id = ${organizationId} and finished_at > ${from} and finished_at <= ${to} group by 1
    ), open as (
      select workflow_id, count(*) filter (where status <> 'queued')::int as active,
        count(*) filter (where status = 'queued')::int as queued
      from workflow_runs
      where organization_id = ${organizationId} and finished_at is null
        and status in ('queued', 'scheduled', 'running', 'waiting', 'paused', 'cancelling', 'needs_attention')
      group by 1
    )
    select w.name as workflow, coalesce(s.count, 0) as started, coalesce(e.count, 0) as ended,
      coalesce(e.failed, 0) as failed, e.seconds, coalesce(o.active, 0) as active, coalesce(o.queued, 0) as queued
    from workflows w
    left join started s on s.workflow_id = w.id
    left join ended e on e.workflow_id = w.id
    left join open o on o.workflow_id = w.id
    where w.organization_id = ${organizationId} and (s.workflow_id is not null or e.workflow_id is not null
      or o.workflow_id is not null or exists (select from workflow_runs r
        where r.organization_id = ${organizationId} and r.workflow_id = w.id and r.queued_at > ${dayAgo}))
    order by started desc, ended desc, w.name`)
  return rows
}

function runSamples(runs: readonly RunCounts[]): Sample[] {
  const m = organizationMetrics
  const sum = (of: 'started' | 'ended' | 'failed' | 'active' | 'queued') =>
    runs.reduce((total, each) => total + each[of], 0)
  const ended = sum('ended')
  const seconds = runs.reduce((total, each) => total + (each.seconds ?? 0) * each.ended, 0)
  return [
    { metric: m.runsStarted, value: sum('started') },
    { metric: m.runsEnded, value: ended },
    { metric: m.runsFailed, value: sum('failed') },
    { metric: m.runsActive, value: sum('active') },
    { metric: m.runsQueued, value: sum('queued') },
    ...(ended > 0 ? [{ metric: m.runDuration, value: seconds / ended }] : []),
    ...runs
      .slice(0, maxWorkflows)
      .flatMap(({ workflow, started, ended: over, failed, seconds: took }) => [
        { metric: m.runsStarted, labels: { workflow }, value: started },
        { metric: m.runsEnded, labels: { workflow }, value: over },
        { metric: m.runsFailed, labels: { workflow }, value: failed },
        ...(took === null ? [] : [{ metric: m.runDuration, labels: { workflow }, value: took }]),
      ]),
  ]
}
