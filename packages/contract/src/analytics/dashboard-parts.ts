import type { Dashboard } from './endpoints.ts'
import { clusterHealthTrend, clusterTrends, clusterUse } from '../metrics/questions.ts'
import type { MetricQuestion } from '../metrics/questions.ts'

type ClusterRow = Dashboard['clusterRows'][number]

/** How many runs the dashboard lists, and how many of the last day it marks in its chart. */
export const dashboardRuns = { listed: 8, marked: 200 } as const

/** Running clusters that the dashboard shows a row of. */
export const dashboardClusters = 12

/** More lines than colours cannot be distinguished. */
const chartClusters = 6

/** Where the dashboard begins to mark runs, RFC 3339: a range before its end, which is now unless given, to the minute. */
export function dashboardMarksSince({
  end = new Date().toISOString(),
  rangeSeconds = 86_400,
}: { end?: string | undefined; rangeSeconds?: number } = {}): string {
  const minuteMs = 60_000
  return new Date(Math.floor(Date.parse(end) / minuteMs) * minuteMs - rangeSeconds * 1000).toISOString()
}

/** The clusters of the chart, in the order of the rows: all, or those that use most of their CPU. */
export function busiestClusters<Row extends Pick<ClusterRow, 'capacity'>>(rows: readonly Row[]): Row[] {
  if (rows.length <= chartClusters) return [...rows]
  const share = ({ capacity: { cpuMillicores } }: Row) =>
    (cpuMillicores.used ?? 0) / (cpuMillicores.allocatable || 1)
  const chosen = new Set(rows.toSorted((a, b) => share(b) - share(a)).slice(0, chartClusters))
  return rows.filter((row) => chosen.has(row))
}

export type DashboardMetric = 'use' | 'trends' | 'failing' | 'degraded'

/** What the dashboard asks about metrics at first; undefined where no cluster runs. */
export function dashboardMetrics(
  rows: readonly ClusterRow[],
): Record<DashboardMetric, MetricQuestion> | undefined {
  if (rows.length === 0) return undefined
  const shown = rows.slice(0, dashboardClusters).map(({ id }) => id)
  return {
    use: clusterUse(busiestClusters(rows).map(({ id }) => id)),
    trends: clusterTrends(shown),
    failing: clusterHealthTrend(shown, 'failing'),
    degraded: clusterHealthTrend(shown, 'degraded'),
  }
}
