import type { MetricRange } from '@bey/contract'
import { clusterMetrics } from '@bey/contract'
import { averagesOf, useMetrics } from '../../data/metrics.ts'
import { formatBytes, formatCpu } from '../../lib/format.ts'
import type { ChartPanel, ChartSeries } from '../../ui/chart/chart-types.ts'
import { useChartRange } from '../../entities/metrics/chart-range.ts'
import { MetricChart } from '../../entities/metrics/metric-chart.tsx'
import { NoMetrics, NothingMeasured } from '../../entities/metrics/no-metrics.tsx'

export interface ObjectMetricsProps {
  cluster: { id: number; title: string }
  /** As kubectl names it: `nodes`, `pods`, `deployments.apps`. */
  resource: string
  /** `-` for what belongs to the cluster. */
  namespace: string
  name: string
  /** What its specification requests and allows, of what no series is kept: pods. */
  requested?: { cpuMillicores?: number; memoryBytes?: number }
  limits?: { cpuMillicores?: number; memoryBytes?: number }
}

const workloadKindOf: Readonly<Record<string, string>> = {
  'deployments.apps': 'Deployment',
  'statefulsets.apps': 'StatefulSet',
  'daemonsets.apps': 'DaemonSet',
  'replicasets.apps': 'ReplicaSet',
  'jobs.batch': 'Job',
  'cronjobs.batch': 'CronJob',
}

/** Whether use of an object is kept: of nodes, pods, and what keeps pods running and is owned by nothing else. */
export function hasObjectMetrics(resource: string, isOwned: boolean): boolean {
  return resource === 'nodes' || resource === 'pods' || (resource in workloadKindOf && !isOwned)
}

/** CPU and memory of one object over time, against what it requests, may use, or can give. */
export function ObjectMetrics(props: ObjectMetricsProps) {
  const { cluster, resource, namespace, name } = props
  // Minutes of pods are kept for two days.
  const isPod = resource === 'pods'
  const range = useChartRange('1h')
  const list = useMetrics({
    entity: 'cluster',
    ids: [cluster.id],
    metrics: [...ofCpu, ...ofMemory],
    labels: labelsOf(resource, namespace, name),
    rangeSeconds: range.rangeSeconds,
    end: range.end,
  })
  const hasUse = averagesOf(list.data, cluster.id, clusterMetrics.cpuUsed) !== undefined
  const panel = (
    part: 'cpuMillicores' | 'memoryBytes',
    panelOf: Omit<ChartPanel, 'series' | 'height'>,
  ): ChartPanel => ({
    ...panelOf,
    height: 150,
    ...(hasUse ? seriesOf(list.data, props, part) : { series: [] }),
  })
  return (
    <MetricChart
      title="Use over time"
      range={range}
      periods={isPod ? ['1h', '6h', '24h'] : ['1h', '6h', '24h', '7d']}
      list={list}
      panels={[
        panel('cpuMillicores', { title: 'CPU', format: formatCpu }),
        panel('memoryBytes', { title: 'Memory', base: 2, format: formatBytes }),
      ]}
      empty={<Empty cluster={cluster} isPod={isPod} />}
    />
  )
}

/** The object has no series: because its cluster measures nothing, or because it does not run. */
function Empty({ cluster, isPod }: { cluster: ObjectMetricsProps['cluster']; isPod: boolean }) {
  const ofCluster = useMetrics({
    entity: 'cluster',
    ids: [cluster.id],
    metrics: [clusterMetrics.cpuUsed],
    rangeSeconds: 3_600,
  })
  if (!ofCluster.data) return null
  if (ofCluster.data.series.length === 0) return <NoMetrics cluster={cluster.title} />
  return (
    <NothingMeasured
      what={
        isPod
          ? 'The pod used nothing in this range: it did not run, or it began a moment ago.'
          : 'Nothing of it ran in this range.'
      }
    />
  )
}

const ofCpu = [
  clusterMetrics.cpuUsed,
  clusterMetrics.cpuRequested,
  clusterMetrics.cpuLimit,
  clusterMetrics.cpuAllocatable,
] as const
const ofMemory = [
  clusterMetrics.memoryUsed,
  clusterMetrics.memoryRequested,
  clusterMetrics.memoryLimit,
  clusterMetrics.memoryAllocatable,
] as const
const names = ['used', 'requested', 'limit', 'allocatable'] as const

function labelsOf(resource: string, namespace: string, name: string): Record<string, string> {
  if (resource === 'nodes') return { node: name }
  if (resource === 'pods') return { namespace, pod: name }
  return { namespace, kind: workloadKindOf[resource] ?? resource, workload: name }
}

function seriesOf(
  data: MetricRange | undefined,
  { cluster, requested, limits }: ObjectMetricsProps,
  part: 'cpuMillicores' | 'memoryBytes',
): { series: ChartSeries[]; references: ChartSeries[] } {
  const metrics = part === 'cpuMillicores' ? ofCpu : ofMemory
  const all = metrics.flatMap((metric, index) => {
    const values = averagesOf(data, cluster.id, metric)
    return values ? [{ name: names[index] ?? metric, values }] : []
  })
  const [used, ...references] = all
  const constant = (name: string, value: number | undefined): ChartSeries[] =>
    value === undefined || references.some((each) => each.name === name)
      ? []
      : [{ name, values: (used?.values ?? []).map(() => value) }]
  return {
    series: used ? [used] : [],
    references: [
      ...references,
      ...constant('requested', requested?.[part]),
      ...constant('limit', limits?.[part]),
    ],
  }
}
