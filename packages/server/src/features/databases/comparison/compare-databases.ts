import {
  bandOf,
  type ComparedDatabase,
  databaseLimits,
  type Database as ShownDatabase,
  growthOf,
  type HandlerOutput,
  type ParsedInput,
} from '@bey/contract'

import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import { finestStepMs, floorTo, shownStepFor } from '../../../platform/metrics/steps.ts'
import { listDatabases, summarize } from '../list.ts'
import { presentDatabase } from '../present.ts'
import type { DatabaseProviders } from '../provider.ts'
import type { DatabaseRow } from '../store.ts'
import { type Judged, judgeDatabases } from './judge.ts'
import { readMeasured, rounded } from './measured-series.ts'
import { rememberUsual } from './remembered-usual.ts'

type Query = ParsedInput<'databases.metrics'>['query']

export type CompareParts = {
  database: Pick<Database, 'readTenant'>
  metrics: Pick<Metrics, 'read'>
  providers: DatabaseProviders
  clock: Clock
}

const daySeconds = 86_400
/** Statements are counted once a minute: finer steps would be gaps. */
const leastStepMs = 60_000
const points = 120
const growthRange = { rangeMs: 7 * daySeconds * 1_000, stepMs: 6 * 3_600_000 }
/** A database that grows less than this a day is not foreseen to be full. */
const leastGrowthBytes = 1024 ** 2
/** Databases are measured every 15 s. */
const overdueMs = 120_000
/** A disk that is full within so many days needs somebody now. */
const urgentDays = 7

export function comparisonHandlers({
  database,
  metrics,
  providers,
  clock,
}: CompareParts): Handlers<'databases.metrics'> {
  const usualOf = rememberUsual(metrics, clock)

  async function compare(organizationId: number, query: Query): Promise<HandlerOutput<'databases.metrics'>> {
    const { search, health, metric, page, limit } = query
    const nowMs = clock.now().getTime()
    const range = rangeOf(query, nowMs)
    const all = { sort: 'name', page: 1, limit: databaseLimits.perOrganization } as const
    const { rows, shown, summary } = await database.readTenant(organizationId, async (db) => ({
      rows: (await listDatabases(db, organizationId, all)).rows,
      shown:
        search || health ? (await listDatabases(db, organizationId, { ...all, search, health })).rows : null,
      summary: await summarize(db, organizationId),
    }))
    const judged = await judgeDatabases({ metrics, usualOf }, organizationId, rows, nowMs)
    const daysUntilFull = await readDaysUntilFull(organizationId, rows, nowMs)
    const ranked = (shown ?? rows)
      .map((row) => {
        const presented = presentDatabase(row)
        const days = daysUntilFull.get(row.id) ?? null
        return { row, database: presented, days, rank: rankOf(presented, judged.get(row.id), days) }
      })
      .toSorted((a, b) => b.rank - a.rank)
    const paged = ranked.slice((page - 1) * limit, page * limit)
    const asked = paged.map(({ row }) => ({ row, metric }))
    const measured = await readMeasured(metrics, organizationId, asked, range)
    const usual = await usualOf(organizationId, asked, range)
    const steps = Math.round((range.toMs - range.fromMs) / range.stepMs)
    return {
      databases: paged.map(({ row, database: presented, days }, index): ComparedDatabase => {
        const hours = usual[index]
        const hasUsual = hours?.usual.some((hour) => hour !== undefined) === true
        const band = hasUsual ? bandOf(hours, { ...range, steps }) : null
        return {
          database: presented,
          values: (measured[index]?.values ?? []).map(rounded),
          usual: band && { low: band.low.map(rounded), high: band.high.map(rounded) },
          measuredWeeks: hours?.measuredWeeks ?? 0,
          isOverdue: isOverdue(presented, nowMs),
          now: nowOf(presented, judged.get(row.id)),
          deviations: judged.get(row.id)?.deviations ?? [],
          daysUntilFull: days,
        }
      }),
      total: ranked.length,
      page,
      limit,
      from: new Date(range.fromMs).toISOString(),
      stepMs: range.stepMs,
      steps,
      summary: {
        ...summary,
        outside: [...judged.values()].filter(({ deviations }) => deviations.length > 0).length,
      },
    }
  }

  /** By the ids of databases; without those that do not grow, or may grow without end. */
  async function readDaysUntilFull(organizationId: number, rows: readonly DatabaseRow[], nowMs: number) {
    const toMs = floorTo(nowMs, growthRange.stepMs) + growthRange.stepMs
    const range = { fromMs: toMs - growthRange.rangeMs, toMs, stepMs: growthRange.stepMs }
    const hasEmbedded = rows.some(({ provider }) => provider === 'embedded')
    const onMachine = hasEmbedded ? (await providers.embedded.capacity()).freeDiskBytes : null
    const bounded = rows.filter((row) => freeBytesOf(row, onMachine) !== null)
    const asked = bounded.map((row) => ({ row, metric: 'disk' as const }))
    const sizes = await readMeasured(metrics, organizationId, asked, range)
    return new Map(
      bounded.map((row, index) => {
        const growth = growthOf(sizes[index]?.values ?? [], range.stepMs, freeBytesOf(row, onMachine))
        const isGrowing = growth !== undefined && growth.bytesPerDay >= leastGrowthBytes
        return [row.id, isGrowing ? growth.daysUntilFull : null]
      }),
    )
  }

  return {
    'databases.metrics': ({ caller: { organizationId }, query }) => compare(organizationId, query),
  }
}

function rangeOf({ range: seconds = daySeconds, end }: Query, nowMs: number) {
  const endMs = Math.min(end === undefined ? nowMs : Date.parse(end), nowMs)
  const rangeMs = seconds * 1_000
  const storedMs = Math.max(leastStepMs, finestStepMs(nowMs - (endMs - rangeMs)))
  const stepMs = shownStepFor(rangeMs, storedMs, points)
  return { fromMs: floorTo(endMs - rangeMs, stepMs), toMs: floorTo(endMs, stepMs) + stepMs, stepMs }
}

function freeBytesOf({ provider, figures }: DatabaseRow, onMachine: number | null): number | null {
  const { sizeBytes = 0, sizeLimitBytes = null, diskQuota = null } = figures ?? {}
  const limits = [
    provider === 'embedded' ? onMachine : null,
    sizeLimitBytes === null ? null : sizeLimitBytes - sizeBytes,
    diskQuota === null ? null : diskQuota.limitBytes - diskQuota.usedBytes,
  ].filter((each) => each !== null)
  return limits.length === 0 ? null : Math.max(0, Math.min(...limits))
}

/** Those that need somebody first, the furthest out before the others; then the usual ones; those without data last. */
function rankOf({ status, health }: ShownDatabase, judged: Judged | undefined, days: number | null): number {
  if (status !== 'available') return -1
  return Math.max(
    judged?.deviations[0]?.distance ?? 0,
    health.state === 'failing' ? 1_000 : health.state === 'degraded' ? 3 : 0,
    days !== null && days < urgentDays ? 5 : 0,
  )
}

function isOverdue({ status, figures }: ShownDatabase, nowMs: number): boolean {
  return status === 'available' && figures !== null && nowMs - Date.parse(figures.at) > overdueMs
}

function nowOf({ status, figures }: ShownDatabase, judged: Judged | undefined): ComparedDatabase['now'] {
  if (status !== 'available' || figures === null)
    return {
      load: null,
      connections: null,
      cacheHit: null,
      lagMs: null,
      disk: null,
      sizeBytes: null,
      p95Ms: null,
    }
  const { connections, maxConnections, cacheHit, sizeBytes, sizeLimitBytes, diskQuota } = figures
  return {
    load: rounded(judged?.load ?? null),
    connections: maxConnections > 0 ? rounded(connections / maxConnections) : null,
    cacheHit,
    lagMs: rounded(judged?.lagMs ?? null),
    disk: rounded(
      diskQuota !== null
        ? diskQuota.usedBytes / diskQuota.limitBytes
        : sizeLimitBytes === null
          ? null
          : sizeBytes / sizeLimitBytes,
    ),
    sizeBytes,
    p95Ms: rounded(judged?.p95Ms ?? null),
  }
}
