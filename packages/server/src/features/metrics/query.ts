import type { CatalogMetric, HandlerOutput, MeasuredType, MetricUnit, ParsedInput, Role } from '@bey/contract'
import { measuredPermission, measuredTypes, metricBounds, metricQueryBounds } from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { whyNotNow } from '../../platform/keys/key-rights.ts'
import type { Expr, Matcher } from '../../platform/metrics/promql/ast.ts'
import { lastValue } from '../../platform/metrics/promql/call-function.ts'
import { evaluatePromql } from '../../platform/metrics/promql/evaluate.ts'
import { parsePromql } from '../../platform/metrics/promql/parse.ts'
import type { SeriesLabels, SeriesReader } from '../../platform/metrics/promql/reader.ts'
import { sharedReader } from '../../platform/metrics/promql/shared-reader.ts'
import { storeReader } from '../../platform/metrics/promql/store-reader.ts'
import { unitOf } from '../../platform/metrics/promql/unit.ts'
import type { PointStore, ReadTenant } from '../../platform/metrics/points.ts'
import type { ReadRange } from '../../platform/metrics/read.ts'
import { listMetrics } from './catalog.ts'
import { rangeOf, sourceRangeOf } from './range.ts'
import type { SourceQueries } from './sources/source-queries.ts'

/** Who asks: what their role, and their API key if they use one, may not read is not there. */
export type QueryCaller = { organizationId: number; role: Role }

export type QueriedSeries = {
  /** The metric; null where the expression computes something new. */
  name: string | null
  labels: Record<string, string>
  /** One per step of the range; null where there is no value. */
  values: (number | null)[]
}

export type QueryAnswer = {
  type: 'scalar' | 'vector'
  series: QueriedSeries[]
  unit: MetricUnit | null
  warnings: string[]
}

/** Types whose metrics the caller of the present request may read. */
const readableTypes = (role: Role): MeasuredType[] =>
  measuredTypes.filter((type) => whyNotNow(role, measuredPermission(type)) === undefined)

export function createMetricQueries({
  database,
  clock,
  points,
  sources,
}: {
  database: Pick<Database, 'readTenant'>
  points: PointStore
  clock: Clock
  sources: Pick<SourceQueries, 'query'>
}) {
  const readerFor = ({ organizationId, role }: QueryCaller): SeriesReader => {
    const access = { organizationId, types: readableTypes(role), nowMs: clock.now().getTime(), points }
    return storeReader((work) => database.readTenant(organizationId, work), access)
  }

  /**
   * All series of an expression, in the order of the evaluation; `source` is a data source that evaluates it instead of
   * Bey. Throws AppError `invalid_request`, of a source as well what its queries throw.
   */
  const query = (of: QueryCaller, expr: string, range: ReadRange, source?: string) =>
    source === undefined
      ? evaluated(readerFor(of), expr, range)
      : sources.query(of.organizationId, source, expr, range)

  /** The same for many expressions that are evaluated at the same time, which read together what they have in common. */
  function together(
    of: QueryCaller,
  ): (expr: string, range: ReadRange, source?: string) => Promise<QueryAnswer> {
    const reader = sharedReader(readerFor(of))
    return (expr, range, source) =>
      source === undefined
        ? evaluated(reader, expr, range)
        : sources.query(of.organizationId, source, expr, range)
  }

  async function evaluated(
    reader: SeriesReader,
    expr: string | Expr,
    range: ReadRange,
  ): Promise<QueryAnswer> {
    const parsed = typeof expr === 'string' ? parsePromql(expr) : expr
    const nowMs = clock.now().getTime()
    const { type, series, warnings } = await evaluatePromql(reader, parsed, range, nowMs)
    return {
      type,
      series: series.map(({ labels: { __name__: name, ...labels }, values }) => ({
        name: name ?? null,
        labels,
        values,
      })),
      unit: unitOf(parsed),
      warnings,
    }
  }

  async function answer(
    of: QueryCaller,
    asked: ParsedInput<'metrics.query'>['query'],
  ): Promise<HandlerOutput<'metrics.query'>> {
    const { source } = asked
    const nowMs = clock.now().getTime()
    const range =
      source === undefined ? rangeOf(lengthOf(asked), nowMs) : sourceRangeOf(lengthOf(asked), nowMs)
    const { series, unit, warnings } = await query(of, asked.expr, range, source)
    const shown = series
      .toSorted((a, b) => lastValue(b) - lastValue(a))
      .slice(0, metricQueryBounds.maxSeriesShown)
    return {
      from: new Date(range.fromMs).toISOString(),
      to: new Date(range.toMs).toISOString(),
      stepMs: range.stepMs,
      series: shown.map(({ values, ...each }) => ({ ...each, values: values.map(drawn) })),
      seriesCount: series.length,
      unit,
      warnings,
    }
  }

  function catalog({ organizationId, role }: QueryCaller): Promise<CatalogMetric[]> {
    const nowMs = clock.now().getTime()
    const types = readableTypes(role)
    const readTenant: ReadTenant = (work) => database.readTenant(organizationId, work)
    return listMetrics(readTenant, points, organizationId, types, nowMs)
  }

  /** Labels of the series that match, of those that can have a value since `sinceMs`. */
  async function select(
    of: QueryCaller,
    matchers: readonly Matcher[],
    sinceMs: number,
  ): Promise<SeriesLabels[]> {
    const found = await readerFor(of).select(matchers, sinceMs)
    return found.map(({ labels }) => labels)
  }

  return { query, together, answer, catalog, select }
}

export type MetricQueries = ReturnType<typeof createMetricQueries>

/** Seven digits are more than a chart shows. What is no finite number is not drawn, and JSON has no word for it. */
const drawn = (value: number | null) =>
  value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(7))

/** Throws AppError `invalid_request` where the range is given twice, runs backwards or is out of bounds. */
function lengthOf({ range, end, from, to, step }: ParsedInput<'metrics.query'>['query']) {
  if (from === undefined && to === undefined) return { range: range ?? 3_600, end, step }
  if (range !== undefined || end !== undefined || from === undefined || to === undefined) {
    throw new AppError('invalid_request', 'Send either "range" and "end", or "from" and "to".')
  }
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1_000)
  if (seconds < metricBounds.minRangeSeconds || seconds > metricBounds.maxRangeSeconds) {
    throw new AppError(
      'invalid_request',
      'The range from "from" to "to" must be between a minute and 366 days.',
    )
  }
  return { range: seconds, end: to, step }
}
