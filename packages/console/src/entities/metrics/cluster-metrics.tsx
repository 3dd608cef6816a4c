import type { MetricRange } from '@bey/contract'
import { clusterMetrics, clusterUseAndRequests } from '@bey/contract'
import { useMetricStream } from '../../data/metric-stream.ts'
import { averagesOf, percentOf, useMetrics } from '../../data/metrics.ts'
import { formatBytes, formatCpu } from '../../lib/format.ts'
import type { ChartMark, ChartPanel } from '../../ui/chart/chart-types.ts'
import { lastIndex } from '../../ui/chart/chart-layout.ts'
import { layerText } from '../../ui/layer-meter.tsx'
import { useChartRange } from './chart-range.ts'
import { MetricChart } from './metric-chart.tsx'
import { NoMetrics, NothingMeasured } from './no-metrics.tsx'

const { cpuUsed, cpuRequested, cpuAllocatable, memoryUsed, memoryRequested, memoryAllocatable } =
  clusterMetrics

/** What a cluster uses in the range that its charts show, with what is requested. */
export function useClusterUse(clusterId: number) {
  const range = useChartRange('1h')
  return { range, list: useMetrics(clusterUseAndRequests(clusterId, range)) }
}

/** Use of a cluster over time, as a share of what its nodes can give, against what is requested. */
export function ClusterMetrics({
  cluster,
  use: { range, list },
  isMeasured,
  marks,
  trouble,
}: {
  cluster: { id: number; title: string }
  use: ReturnType<typeof useClusterUse>
  /** Whether the cluster tells what is used at the moment; undefined while that is not known. */
  isMeasured: boolean | undefined
  marks?: readonly ChartMark[]
  trouble?: { since: number; text: string } | undefined
}) {
  const { data } = list
  const { error } = useMetricStream(cluster.id)
  return (
    <>
      <MetricChart
        title="Use of allocatable"
        range={range}
        periods={['1h', '24h', '7d']}
        list={list}
        panels={[
          panelOf(data, cluster.id, {
            word: 'CPU',
            used: cpuUsed,
            requested: cpuRequested,
            allocatable: cpuAllocatable,
            format: formatCpu,
          }),
          panelOf(data, cluster.id, {
            word: 'Memory',
            used: memoryUsed,
            requested: memoryRequested,
            allocatable: memoryAllocatable,
            format: formatBytes,
          }),
        ]}
        {...(marks && { marks })}
        trouble={trouble}
        empty={isMeasured === false ? <NoMetrics cluster={cluster.title} /> : <NothingMeasured />}
      />
      {error && isMeasured ? (
        <p className="mt-2 text-small text-warn">Not measured at the moment: {error}</p>
      ) : null}
    </>
  )
}

function panelOf(
  data: MetricRange | undefined,
  id: number,
  of: {
    word: string
    used: string
    requested: string
    allocatable: string
    format: (value: number) => string
  },
): ChartPanel {
  const used = averagesOf(data, id, of.used)
  const requested = averagesOf(data, id, of.requested)
  const allocatable = averagesOf(data, id, of.allocatable)
  const shape = { height: 120, top: 105, ticks: [0, 50, 100], format: percent }
  if (!used) return { ...shape, title: of.word, series: [] }
  const last = lastIndex(used)
  const [now, all] = [used[last], allocatable?.[last]]
  return {
    ...shape,
    title:
      now == null || all == null
        ? of.word
        : `${of.word}, ${layerText({ used: now, requested: now, allocatable: all, format: of.format })} used`,
    series: [{ name: 'used', values: percentOf(used, allocatable) }],
    references: requested ? [{ name: 'requested', values: percentOf(requested, allocatable) }] : [],
  }
}

export const percent = (value: number) => `${Math.round(value)}%`
