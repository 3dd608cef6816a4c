import type { Dashboard } from '@bey/contract'
import { dashboardClusters } from '@bey/contract'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { providerLabels } from '../../entities/clusters/cluster-text.ts'
import { silenceText } from '../../entities/clusters/silence-text.ts'
import { healthTooltip } from '../../entities/health/health-status.tsx'
import {
  ClusterHealthStrip,
  ClusterTrend,
  useClusterHealthStrips,
  useClusterTrends,
} from '../../entities/metrics/cluster-trends.tsx'
import { useSteadyIds } from '../../data/metrics.ts'
import { formatBytes, formatCount, formatCpu, formatNumber } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/class-names.ts'
import { toneOf } from '../../ui/chart/chart-types.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { layerText } from '../../ui/layer-meter.tsx'
import { Link } from '../../ui/link.tsx'
import { NodeMap } from '../../ui/node-map.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'

type Row = Dashboard['clusterRows'][number]

/** Each running cluster: its health, its nodes with their pods, and what is used of it. */
export function ClusterRows({ figures }: { figures: Dashboard | undefined }) {
  const id = useId()
  const isListed = figures && figures.clusterRows.length + figures.unreachableClusters.length > 0
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className={cx(columnsClass, 'mb-2 min-h-6 items-center px-1 text-small text-text-2')}>
        <h2 id={id} className="text-body font-semibold text-text">
          Running clusters
        </h2>
        <span className="flex flex-wrap gap-x-4 max-md:justify-between">
          <span>
            {figures
              ? `${formatCount(figures.nodes.total, 'node')}, ${formatCount(figures.pods.total, 'pod')}, by CPU`
              : ' '}
          </span>
          <Link href="/kubernetes/clusters" className="underline hover:text-accent-text">
            All clusters
          </Link>
        </span>
        {isListed ? (
          <span aria-hidden className="contents max-md:hidden">
            <span>Health, 24 h</span>
            <span>CPU, 24 h</span>
            <span>Memory, 24 h</span>
          </span>
        ) : null}
      </div>
      {figures ? <Rows figures={figures} /> : <RowSkeletons />}
    </section>
  )
}

/** Name, node map, health, CPU and memory; below one another on a phone. */
const columnsClass = 'grid grid-cols-1 gap-x-5 md:grid-cols-[11.25rem_minmax(0,1fr)_9rem_7.75rem_7.75rem]'

function Rows({ figures }: { figures: Dashboard }) {
  const { clusterRows, unreachableClusters } = figures
  const ids = useSteadyIds(clusterRows.slice(0, dashboardClusters).map(({ id }) => id))
  const trends = useClusterTrends(ids)
  const stripOf = useClusterHealthStrips(ids)
  if (clusterRows.length + unreachableClusters.length === 0) {
    return (
      <div className="border-y border-line">
        <EmptyState
          title="No cluster is running"
          description="Figures appear here as soon as a cluster runs and answers."
        />
      </div>
    )
  }
  return (
    <ul className="divide-y divide-line border-y border-line">
      {unreachableClusters.map(({ id, title, reason, since }) => (
        <li key={id}>
          <ClusterLink id={id}>
            <span className="min-w-0">
              <Name title={title} status="unknown" />
              <span className="block truncate pl-5 text-small text-warn">
                {since === null ? 'not checked' : silenceText({ since })}
              </span>
            </span>
            <span className="min-w-0 text-text-2 md:col-span-4">{reason}</span>
          </ClusterLink>
        </li>
      ))}
      {clusterRows.slice(0, dashboardClusters).map((row, index) => (
        <li key={row.id}>
          <ClusterLink id={row.id}>
            <ClusterName row={row} />
            <NodeMap nodes={row.nodeMap} label={mapText(row)} />
            <span className="max-md:hidden">
              <ClusterHealthStrip title={row.title} states={stripOf(row.id)} />
            </span>
            <UseOf of={row.capacity.cpuMillicores} format={formatCpu}>
              <ClusterTrend label={`CPU of ${row.title}`} values={trends.cpu(row.id)} tone={toneOf(index)} />
            </UseOf>
            <UseOf of={row.capacity.memoryBytes} format={formatBytes}>
              <ClusterTrend
                label={`Memory of ${row.title}`}
                values={trends.memory(row.id)}
                tone={toneOf(index)}
              />
            </UseOf>
          </ClusterLink>
        </li>
      ))}
    </ul>
  )
}

function ClusterLink({ id, children }: { id: number; children: ReactNode }) {
  return (
    <Link
      href={`/kubernetes/clusters/${id}`}
      className={cx(
        columnsClass,
        'min-h-10 items-center gap-y-2 px-1 py-1.5 -outline-offset-2 transition-colors duration-75 hover:bg-hover',
      )}
    >
      {children}
    </Link>
  )
}

function ClusterName({ row }: { row: Row }) {
  const { health, title, provider, region, version, failingPods, pods } = row
  const isWell = health.state === 'healthy' || health.state === 'starting'
  const trouble =
    failingPods > 0
      ? `${formatNumber(failingPods)} of ${formatCount(pods.total, 'pod')} failing`
      : health.detail
  return (
    <span className="min-w-0 max-md:flex max-md:items-baseline max-md:justify-between max-md:gap-3">
      <Name title={title} status={health.state} provider={provider} />
      {isWell ? (
        <span className="block truncate text-small text-text-3 md:pl-5">
          {[region, version].filter(Boolean).join(' · ')}
        </span>
      ) : (
        <span
          data-live-color=""
          data-tooltip={healthTooltip(health)}
          className={cx(
            'block truncate text-small md:pl-5',
            health.state === 'failing' ? 'text-danger' : 'text-warn',
          )}
        >
          {trouble ?? health.state}
        </span>
      )}
    </span>
  )
}

/** A sandbox is always labelled, so that nobody takes simulated figures for measured ones. */
function Name({ title, status, provider }: { title: string; status: string; provider?: Row['provider'] }) {
  return (
    <span className="flex min-w-0 items-center gap-0.5">
      <Status status={status} label="" />
      <span className="sr-only">{status}</span>
      <span className="truncate font-medium">{title}</span>
      {provider === 'sandbox' ? (
        <span className="ml-1.5 shrink-0">
          <Badge>{providerLabels.sandbox}</Badge>
        </span>
      ) : null}
    </span>
  )
}

/** What is used, requested and there at the moment, when pointed at. */
function UseOf({
  of,
  format,
  children,
}: {
  of: Row['capacity']['cpuMillicores']
  format: (value: number) => string
  children: ReactNode
}) {
  return (
    <span className="block max-md:hidden" data-tooltip={layerText({ ...of, format })}>
      {children}
    </span>
  )
}

function mapText({ title, nodes, pods, failingPods }: Row): string {
  const failing = failingPods > 0 ? `, ${formatNumber(failingPods)} failing` : ''
  return `${title}: ${formatCount(nodes.total, 'node')} with ${formatCount(pods.total, 'pod')}${failing}`
}

function RowSkeletons() {
  return (
    <DelayedSkeleton>
      <span className="block divide-y divide-line border-y border-line">
        {[0, 1, 2].map((index) => (
          <span key={index} className="flex h-12 items-center gap-5 px-1">
            <Skeleton className="h-3 w-40" />
            <Skeleton className="h-7 w-64" />
          </span>
        ))}
      </span>
    </DelayedSkeleton>
  )
}
