import type { EntityType, HandlerOutput, ParsedInput, Role } from '@bey/contract'
import { entityOf, metricBounds } from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { firstMissing } from '../../platform/db/entity-exists.ts'
import { AppError } from '../../platform/errors.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import type { AskedSeries, Points, ReadRange } from '../../platform/metrics/read.ts'
import { whyNotNow } from '../../platform/keys/key-rights.ts'
import { rangeOf } from './range.ts'

type Query = ParsedInput<'metrics.read'>['query']

type Reader = { organizationId: number; role: Role }
type Range = HandlerOutput<'metrics.read'>

export type MetricService = {
  /** Throws AppError `not_found` unless the organization has every entity, `invalid_request` for too large an answer. */
  read(of: Reader, type: EntityType, query: Query): Promise<Range>
  /** Answers several questions about one type, in their order; throws as `read` does. */
  readAll(of: Reader, type: EntityType, queries: readonly Query[]): Promise<Range[]>
}

export function createMetricService({
  database,
  metrics,
  clock,
}: {
  database: Pick<Database, 'readTenant'>
  metrics: Metrics
  clock: Clock
}): MetricService {
  async function requireEntities(organizationId: number, type: EntityType, ids: readonly string[]) {
    // Screens ask for what was there a moment ago, together with others that still are.
    const missing = await database.readTenant(organizationId, (db) =>
      firstMissing(db, organizationId, type, ids),
    )
    if (missing !== undefined)
      throw new AppError('not_found', `There is no ${entityOf(type).singular} ${missing}.`)
  }

  async function readAll(
    { organizationId, role }: Reader,
    type: EntityType,
    queries: readonly Query[],
  ): Promise<Range[]> {
    const reason = whyNotNow(role, entityOf(type).readPermission)
    if (reason !== undefined) throw new AppError('forbidden', reason)
    const nowMs = clock.now().getTime()
    const asked = queries.map((query) => questionOf(type, query, nowMs))
    const ids = new Set(asked.flatMap(({ series }) => series.map(({ entity }) => entity.id)))
    await requireEntities(organizationId, type, [...ids])
    const [found, usage] = await Promise.all([
      Promise.all(asked.map(({ series, range }) => metrics.read(organizationId, series, range))),
      metrics.usage(organizationId),
    ])
    const refused =
      usage.refusedAt === null || nowMs - usage.refusedAt.getTime() > refusalShownMs
        ? null
        : { at: usage.refusedAt.toISOString(), count: usage.refusedCount, maxSeries: usage.maxSeries }
    return asked.map((question, index) => ({ ...measured(question, found[index] ?? []), refused }))
  }

  return {
    readAll,
    async read(of, type, query) {
      const [range] = await readAll(of, type, [query])
      if (!range) throw new Error('A question about metrics has no answer')
      return range
    },
  }
}

type Question = { series: AskedSeries[]; range: ReadRange; hasMaxima: boolean }

/** Throws AppError `invalid_request` where the answer would be too large. */
function questionOf(type: EntityType, query: Query, nowMs: number): Question {
  const ids = [...new Set(query.ids.split(','))]
  const names = [...new Set(query.metrics.split(','))]
  const labels = labelsOf(query.labels)
  const range = rangeOf(query, nowMs)
  const points = (range.toMs - range.fromMs) / range.stepMs
  const hasMaxima = query.include === 'maxima'
  if (points * ids.length * names.length * (hasMaxima ? 2 : 1) > metricBounds.maxValues) {
    throw new AppError(
      'invalid_request',
      `${ids.length} × ${names.length} series of ${points} steps are more than ${metricBounds.maxValues} values. Ask for fewer, or for longer steps.`,
    )
  }
  const series = ids.flatMap((id) => names.map((metric) => ({ entity: { type, id }, metric, labels })))
  return { series, range, hasMaxima }
}

function measured({ series, range, hasMaxima }: Question, found: readonly Points[]): Omit<Range, 'refused'> {
  return {
    from: new Date(range.fromMs).toISOString(),
    to: new Date(range.toMs).toISOString(),
    stepMs: range.stepMs,
    series: series.flatMap(({ entity, metric, labels = {} }, index) => {
      const { averages = [], maxima = [] } = found[index] ?? {}
      if (averages.every((value) => value === null)) return []
      return {
        id: entity.id,
        metric,
        labels,
        averages: averages.map(shown),
        ...(hasMaxima && { maxima: maxima.map(shown) }),
      }
    }),
  }
}

/** Series that are refused are refused every 15 s. */
const refusalShownMs = 300_000

/** Five digits are more than a chart shows. */
const shown = (value: number | null) => (value === null ? null : Number(value.toPrecision(5)))

function labelsOf(text: string | undefined): Record<string, string> {
  if (text === undefined) return {}
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const end = pair.indexOf('=')
      return [pair.slice(0, end), pair.slice(end + 1)]
    }),
  )
}
