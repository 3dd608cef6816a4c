import type { MetricRange } from '@bey/contract'
import { clusterCurves, clusterMetrics } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useMetricStream } from '../../data/metric-stream.ts'
import { averagesOf, percentOf, timesOf, useMetrics } from '../../data/metrics.ts'
import { formatBytes, formatCpu, formatNumber } from '../../lib/format.ts'
import { lastIndex } from '../../ui/chart/chart-layout.ts'
import type { ChartPanel } from '../../ui/chart/chart-types.ts'
import { ofText } from '../../ui/layer-meter.tsx'
import { useChartRange } from '../../entities/metrics/chart-range.ts'
import { wholePercent } from '../../entities/metrics/metric-format.ts'
import { MetricChart } from '../../entities/metrics/metric-chart.tsx'
import { NoMetrics, NothingMeasured } from '../../entities/metrics/no-metrics.tsx'
import { changesHref, useClusterMarks } from '../../entities/metrics/use-change-marks.ts'
import { usualBefore } from './usual-before.ts'

const { cpuUsed, cpuRequested, cpuAllocatable, memoryUsed, memoryRequested, memoryAllocatable } =
  clusterMetrics

/** With the time axis. */
const panelHeight = 122

/** What is measured of a cluster in the range that its charts show. */
export function useClusterCurves(clusterId: number) {
  const range = useChartRange('1h')
  return { range, list: useMetrics(clusterCurves(clusterId, range)) }
}

/** CPU and memory of a cluster against what is requested, restarts, and pods that are not ready: side by side, on one time axis. */
export function ClusterMetrics({
  cluster,
  curves: { range, list },
  isMeasured,
  trouble,
}: {
  cluster: { id: number; title: string }
  curves: ReturnType<typeof useClusterCurves>
  /** Whether the cluster tells what is used at the moment; undefined while that is not known. */
  isMeasured: boolean | undefined
  trouble?: { since: number; text: string } | undefined
}) {
  const { data } = list
  const { error } = useMetricStream(cluster.id)
  const navigate = useNavigate()
  const marks = useClusterMarks(cluster, range, data !== undefined)
  return (
    <>
      <MetricChart
        title="Over time"
        range={range}
        periods={['1h', '24h', '7d']}
        list={list}
        panels={[
          shareOf(data, cluster.id, {
            title: 'CPU',
            used: cpuUsed,
            requested: cpuRequested,
            allocatable: cpuAllocatable,
            format: formatCpu,
          }),
          shareOf(data, cluster.id, {
            title: 'Memory',
            used: memoryUsed,
            requested: memoryRequested,
            allocatable: memoryAllocatable,
            format: formatBytes,
          }),
          countOf(data, cluster.id, 'Restarts a minute', clusterMetrics.restarts, trouble?.since),
          countOf(data, cluster.id, 'Pods not ready', clusterMetrics.podsNotReady, trouble?.since),
        ]}
        marks={marks}
        trouble={trouble}
        onPick={(at) => void navigate({ href: changesHref(cluster.id, at) })}
        empty={isMeasured === false ? <NoMetrics cluster={cluster.title} /> : <NothingMeasured />}
      />
      {error && isMeasured ? (
        <p className="mt-2 text-small text-warn">Not measured at the moment: {error}</p>
      ) : null}
    </>
  )
}

function shareOf(
  data: MetricRange | undefined,
  id: number,
  of: {
    title: string
    used: string
    requested: string
    allocatable: string
    format: (value: number) => string
  },
): ChartPanel {
  const used = averagesOf(data, id, of.used)
  const requested = averagesOf(data, id, of.requested)
  const allocatable = averagesOf(data, id, of.allocatable)
  const shape = { title: of.title, height: panelHeight, top: 105, ticks: [0, 50, 100], format: wholePercent }
  if (!used) return { ...shape, series: [] }
  const last = lastIndex(used)
  const [now, all] = [used[last], allocatable?.[last]]
  return {
    ...shape,
    ...(now != null && all != null && { figure: ofText(now, all, of.format) }),
    series: [{ name: 'used', values: percentOf(used, allocatable) }],
    references: requested ? [{ name: 'requested', values: percentOf(requested, allocatable) }] : [],
  }
}

function countOf(
  data: MetricRange | undefined,
  id: number,
  title: string,
  metric: string,
  troubleMs: number | undefined,
): ChartPanel {
  const values = averagesOf(data, id, metric)
  const shape = { title, height: panelHeight, format: short }
  if (!data || !values) return { ...shape, series: [] }
  const now = values[lastIndex(values)]
  const usual = usualBefore(values, timesOf(data), troubleMs)
  const most = Math.max(0, ...values.map((value) => value ?? 0))
  return {
    ...shape,
    ...(now != null && {
      figure: usual === undefined ? short(now) : `${short(now)}, usually ${short(usual)}`,
    }),
    series: [{ name: title.toLowerCase(), values }],
    // An axis of parts of one restart would make much of nothing.
    ...(most < 4 && { top: 4.2, ticks: [0, 2, 4] }),
  }
}

const short = (value: number) => formatNumber(Math.round(value * 10) / 10)
