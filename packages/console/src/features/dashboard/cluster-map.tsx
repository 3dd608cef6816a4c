import type { Dashboard, NodeCell } from '@bey/contract'
import { healthRank } from '@bey/contract'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { silenceText } from '../../entities/clusters/silence-text.ts'
import { healthTooltip } from '../../entities/health/health-status.tsx'
import { nodePeekHref } from '../../entities/kubernetes/peek-address.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { cx } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { cellText, NodePictureCell } from '../../ui/node-map.tsx'
import { bandGeometry } from '../../ui/node-ticks.ts'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { useWidth } from '../../ui/use-width.ts'

type Row = Dashboard['clusterRows'][number]

/** Clusters that have a row of their own; more are one line with a link. */
const shownClusters = 6
const labelPx = 152
const gapPx = 8

/**
 * Every cluster as a row of its nodes, each a cell with a tick a pod: what fails is seen before anything is read. On a
 * phone the capacity card has the same in small.
 */
export function ClusterMap({ figures }: { figures: Dashboard | undefined }) {
  if (!figures) return <MapSkeleton />
  const { clusterRows, unreachableClusters } = figures
  const rows = [...unreachableClusters.map(silentRow), ...clusterRows.map(runningRow)].slice(0, shownClusters)
  const leftOut = clusterRows.length + unreachableClusters.length - rows.length
  if (rows.length === 0) return null
  return (
    <section aria-label="Clusters" className="max-md:hidden">
      <ul className="flex flex-col gap-4">{rows}</ul>
      {leftOut > 0 ? (
        <Link
          href="/kubernetes/clusters"
          className="mt-3 inline-block text-small text-text-2 underline hover:text-accent-text"
        >
          {formatCount(leftOut, 'more cluster')}
        </Link>
      ) : null}
    </section>
  )
}

const silentRow = ({ id, title, reason, since }: Dashboard['unreachableClusters'][number]) => (
  <li key={id} className="flex items-center gap-4">
    <Label
      id={id}
      title={title}
      status="unknown"
      line={since === null ? 'not checked' : silenceText({ since })}
      tone="text-warn"
    />
    <span className="min-w-0 flex-1 text-text-2">{reason}</span>
  </li>
)

const runningRow = (row: Row) => (
  <li key={row.id} className="flex items-center gap-4">
    <Label
      id={row.id}
      title={row.title}
      status={row.health.state}
      line={lineOf(row)}
      tone={toneOf(row)}
      tooltip={healthTooltip(row.health)}
    />
    <Cells row={row} />
  </li>
)

function Label({
  id,
  title,
  status,
  line,
  tone,
  tooltip,
}: {
  id: number
  title: string
  status: string
  line: string
  tone: string
  tooltip?: string | undefined
}) {
  return (
    <Link
      href={clusterHref(id)}
      className="group block shrink-0 rounded-control"
      style={{ width: labelPx }}
      data-tooltip={[title, tooltip ?? line].join('\n')}
    >
      <span className="flex min-w-0 items-center gap-0.5">
        <Status status={status} label="" />
        <span className="sr-only">{status}</span>
        <span className="truncate font-medium group-hover:text-accent-text group-hover:underline">
          {title}
        </span>
      </span>
      <span data-live-color="" className={cx('block truncate pl-5 text-small tabular-nums', tone)}>
        {line}
      </span>
    </Link>
  )
}

/** As many nodes as the row has room for, what is in trouble first; the last place says how many are left. */
function Cells({ row }: { row: Row }) {
  const [box, width] = useWidth()
  const places = Math.max(1, Math.floor((width + gapPx) / (bandGeometry.width + gapPx)))
  const total = row.nodes.total + (row.nodeMap.some(({ name }) => name === null) ? 1 : 0)
  const sorted = row.nodeMap.toSorted(byTrouble)
  const shown = total > places ? sorted.slice(0, places - 1) : sorted
  const leftOut = total - shown.length
  return (
    <div ref={box} className="flex h-10 min-w-0 flex-1" style={{ gap: gapPx }}>
      {width === 0
        ? null
        : shown.map((node) => (
            <Link
              key={node.name ?? ''}
              // The row's label is its place in the order of Tab; a cluster of many nodes would be as many stops.
              tabIndex={-1}
              href={
                node.name === null
                  ? clusterHref(row.id, 'pods?health=failing')
                  : nodePeekHref(row.id, node.name)
              }
              aria-label={cellText(node).replaceAll('\n', ', ')}
              data-tooltip={cellText(node)}
              className="block shrink-0 rounded-[5px] hover:bg-hover"
            >
              <NodePictureCell node={node} geometry={bandGeometry} />
            </Link>
          ))}
      {width > 0 && leftOut > 0 ? (
        <Link
          tabIndex={-1}
          href={clusterHref(row.id, 'nodes')}
          className="flex h-10 shrink-0 items-center rounded-[5px] px-2 text-small text-text-2 hover:bg-hover hover:text-text"
        >
          {formatCount(leftOut, 'more node')}
        </Link>
      ) : null}
    </div>
  )
}

/** What fails first, then by name; pods without a node come after the nodes that are as bad. */
function byTrouble(one: NodeCell, other: NodeCell): number {
  const rank = ({ health, failingCount }: NodeCell) =>
    Math.min(healthRank(health.state), failingCount > 0 ? healthRank('failing') : Infinity)
  return (
    rank(one) - rank(other) ||
    other.failingCount - one.failingCount ||
    (one.name ?? '\uffff').localeCompare(other.name ?? '\uffff', 'en', { numeric: true })
  )
}

/** "7 of 33 pods failing", or what there is where all is well. */
function lineOf({ failingPods, pods, nodes, health }: Row): string {
  if (failingPods > 0) return `${formatNumber(failingPods)} of ${formatCount(pods.total, 'pod')} failing`
  if (health.state !== 'healthy' && health.detail) return health.detail
  return `${formatCount(nodes.total, 'node')}, ${formatCount(pods.total, 'pod')}`
}

function toneOf({ failingPods, health }: Row): string {
  if (health.state === 'healthy' || health.state === 'starting') return 'text-text-3'
  return failingPods > 0 || health.state === 'failing' ? 'text-danger' : 'text-warn'
}

function MapSkeleton() {
  return (
    <div className="max-md:hidden">
      <DelayedSkeleton>
        <span className="flex flex-col gap-4">
          {[5, 3, 2].map((cells, index) => (
            <span key={index} className="flex h-10 items-center gap-4">
              <span className="block" style={{ width: labelPx }}>
                <Skeleton className="h-3 w-28" />
              </span>
              <span className="flex" style={{ gap: gapPx }}>
                {Array.from({ length: cells }, (_, cell) => (
                  <Skeleton key={cell} className="h-10 w-24" />
                ))}
              </span>
            </span>
          ))}
        </span>
      </DelayedSkeleton>
    </div>
  )
}
