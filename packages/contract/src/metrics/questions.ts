import type { CallInput } from '../base/call.ts'
import type { EntityType } from '../base/entity-table.ts'
import { clusterMetrics, databaseMetrics } from './names.ts'

/** What a screen asks about metrics. */
export interface MetricQuestion {
  entity: EntityType
  ids: readonly (number | string)[]
  metrics: readonly string[]
  /** All labels of the series; none for the entities as a whole. */
  labels?: Readonly<Record<string, string>>
  rangeSeconds: number
  /** Where the range ends, RFC 3339; now by default, and then it moves on. */
  end?: string | undefined
  /** Seconds; the server chooses by default. */
  step?: number
  hasMaxima?: boolean
}

type AskedQuery = NonNullable<CallInput<'metrics.read'>['query']>
/** Its numbers are numbers, where a query of an address has texts. */
export type MetricQuery = Omit<AskedQuery, 'range' | 'step'> & { range: number; step?: number }

/** A question as `metrics.read` takes it. The same question is always the same query. */
export function metricQuery({
  ids,
  metrics,
  labels,
  rangeSeconds,
  end,
  step,
  hasMaxima,
}: MetricQuestion): MetricQuery {
  const query: MetricQuery = {
    // In one order: the same entities are the same question.
    ids: ids.toSorted((a, b) => (a < b ? -1 : 1)).join(','),
    metrics: metrics.join(','),
    range: rangeSeconds,
  }
  if (labels) {
    query.labels = Object.entries(labels)
      .map(([name, value]) => `${name}=${value}`)
      .join(',')
  }
  if (end !== undefined) query.end = end
  if (step !== undefined) query.step = step
  if (hasMaxima) query.include = 'maxima'
  return query
}

const daySeconds = 86_400
const halfHourSeconds = 1_800
const {
  cpuUsed,
  cpuRequested,
  cpuAllocatable,
  memoryUsed,
  memoryRequested,
  memoryAllocatable,
  podsByHealth,
  podsNotReady,
  restarts,
} = clusterMetrics
const use = [cpuUsed, cpuAllocatable, memoryUsed, memoryAllocatable] as const

/** Use of what can be allocated in clusters, over a range that ends now by default. */
export function clusterUse(
  ids: readonly number[],
  range: Pick<MetricQuestion, 'rangeSeconds' | 'end'> = { rangeSeconds: daySeconds },
): MetricQuestion {
  return { entity: 'cluster', ids, metrics: use, rangeSeconds: range.rangeSeconds, end: range.end }
}

/** What the overview of one cluster draws: use and requests beside what can be allocated, restarts, and pods not ready; over the last hour by default. */
export function clusterCurves(
  id: number,
  range: Pick<MetricQuestion, 'rangeSeconds' | 'end'> = { rangeSeconds: 3_600 },
): MetricQuestion {
  const metrics = [
    cpuUsed,
    cpuRequested,
    cpuAllocatable,
    memoryUsed,
    memoryRequested,
    memoryAllocatable,
    podsNotReady,
    restarts,
  ]
  return { entity: 'cluster', ids: [id], metrics, rangeSeconds: range.rangeSeconds, end: range.end }
}

/** Use alone, of several clusters over the last day in half-hours, for the small lines of lists. */
export function clusterTrends(ids: readonly number[]): MetricQuestion {
  return { entity: 'cluster', ids, metrics: use, rangeSeconds: daySeconds, step: halfHourSeconds }
}

/** The most pods of clusters with this health in each half-hour of the last day. */
export function clusterHealthTrend(ids: readonly number[], health: 'failing' | 'degraded'): MetricQuestion {
  return {
    entity: 'cluster',
    ids,
    metrics: [podsByHealth],
    labels: { health },
    rangeSeconds: daySeconds,
    step: halfHourSeconds,
    hasMaxima: true,
  }
}

/** What is measured of one database as a whole. */
export function databaseCurves(
  id: string,
  range: Pick<MetricQuestion, 'rangeSeconds' | 'end'>,
): MetricQuestion {
  const { connectionsByState: _, load: __, ...whole } = databaseMetrics
  const { rangeSeconds, end } = range
  return { entity: 'database', ids: [id], metrics: Object.values(whole), rangeSeconds, end }
}

/** The sizes of databases over the last week: of one in half-hours, of several in parts of a day. */
export function databaseSizes(ids: readonly string[]): MetricQuestion {
  const metrics = [databaseMetrics.size]
  const step = ids.length === 1 ? halfHourSeconds : daySeconds / 4
  return { entity: 'database', ids, metrics, rangeSeconds: 7 * daySeconds, step }
}

/** Connections of one database in one state. */
export function databaseConnections(
  id: string,
  state: string,
  { rangeSeconds, end }: Pick<MetricQuestion, 'rangeSeconds' | 'end'>,
): MetricQuestion {
  const metrics = [databaseMetrics.connectionsByState]
  return { entity: 'database', ids: [id], metrics, labels: { state }, rangeSeconds, end }
}

/** Sessions of one database at work, of those that wait for this. */
export function databaseLoad(
  id: string,
  wait: string,
  { rangeSeconds, end }: Pick<MetricQuestion, 'rangeSeconds' | 'end'>,
): MetricQuestion {
  return {
    entity: 'database',
    ids: [id],
    metrics: [databaseMetrics.load],
    labels: { wait },
    rangeSeconds,
    end,
  }
}
