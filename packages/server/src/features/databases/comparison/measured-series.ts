import { type ComparedMetric, databaseMetrics, engineFamily, waitClasses } from '@bey/contract'

import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { ReadRange } from '../../../platform/metrics/read.ts'
import type { SeriesName } from '../../../platform/metrics/series.ts'
import type { DatabaseRow } from '../store.ts'

export type Values = readonly (number | null)[]
export type AskedMetric = { row: DatabaseRow; metric: ComparedMetric }
/** The values of a metric over a range, and of the series that they are the sum of. */
export type MeasuredMetric = { values: Values; parts: readonly Values[] }

const single: Readonly<Record<Exclude<ComparedMetric, 'load'>, string>> = {
  connections: databaseMetrics.connections,
  latency: databaseMetrics.statementP95,
  cache: databaseMetrics.cacheHit,
  lag: databaseMetrics.replicationLag,
  wal: databaseMetrics.walBytes,
  disk: databaseMetrics.size,
}

/** The series whose sum a metric of a database is; none where its engine does not say. */
function seriesOf({ row, metric }: AskedMetric): SeriesName[] {
  if (metric !== 'load') return [{ metric: single[metric] }]
  const family = engineFamily(row.engine)
  if (family === 'postgres')
    return waitClasses.map((wait) => ({ metric: databaseMetrics.load, labels: { wait } }))
  // Threads that MySQL runs are its sessions at work; Redis does one thing at a time.
  return family === 'mysql'
    ? [{ metric: databaseMetrics.connectionsByState, labels: { state: 'active' } }]
    : []
}

/** Reads metrics of several databases over one range, in the order asked. */
export async function readMeasured(
  metrics: Pick<Metrics, 'read'>,
  organizationId: number,
  asked: readonly AskedMetric[],
  range: ReadRange,
): Promise<MeasuredMetric[]> {
  const series = asked.map(seriesOf)
  const points = await metrics.read(
    organizationId,
    asked.flatMap(({ row }, index) =>
      (series[index] ?? []).map((name) => ({ ...name, entity: { type: 'database' as const, id: row.id } })),
    ),
    range,
  )
  const steps = Math.round((range.toMs - range.fromMs) / range.stepMs)
  let next = 0
  return series.map((names) => {
    const parts = names.map(() => points[next++]?.averages ?? [])
    return { parts, values: Array.from({ length: steps }, (_, step) => sumAt(parts, step)) }
  })
}

function sumAt(parts: readonly Values[], step: number): number | null {
  const measured = parts.map((values) => values[step] ?? null).filter((value) => value !== null)
  return measured.length === 0 ? null : measured.reduce((sum, value) => sum + value, 0)
}

/** Four digits are more than a line of 50 px shows. */
export const rounded = <V extends number | null>(value: V) =>
  value === null ? value : Number(value.toPrecision(4))
