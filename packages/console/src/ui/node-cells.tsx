import { cx } from './class-names.ts'
import { Link } from './link.tsx'
import { cellText, Ticks } from './node-map.tsx'
import type { NodeCellData } from './node-ticks.ts'
import { pageGeometry, withoutPrefix } from './node-ticks.ts'
import { DelayedSkeleton, Skeleton } from './skeleton.tsx'
import { Status } from './status.tsx'
import { Truncated } from './truncated.tsx'

const grid = 'grid grid-cols-[repeat(auto-fill,minmax(232px,1fr))] gap-3'

/** Nodes at the size of a page: name, pods as ticks, and how much of CPU and memory is used and requested. */
export function NodeCells({
  nodes,
  hrefOf,
  prefix = '',
  isStale = false,
}: {
  nodes: readonly NodeCellData[]
  /** Where a node leads to; the pods without one are `null`. */
  hrefOf: (name: string | null) => string
  /** What the names of all begin with, and is not written again. */
  prefix?: string
  isStale?: boolean
}) {
  return (
    <ul className={grid}>
      {nodes.map((node) => (
        <li key={node.name ?? ''}>
          <NodeCell node={node} href={hrefOf(node.name)} prefix={prefix} isStale={isStale} />
        </li>
      ))}
    </ul>
  )
}

function NodeCell({
  node,
  href,
  prefix,
  isStale,
}: {
  node: NodeCellData
  href: string
  prefix: string
  isStale: boolean
}) {
  const isAway = node.health.reason === 'NotReady'
  const { width, height } = pageGeometry
  return (
    <Link
      href={href}
      className={cx(
        'block h-full min-h-[97px] rounded-control border border-line-strong px-3 pt-2 pb-2.5 -outline-offset-2 transition-colors duration-75 hover:bg-hover',
        (isAway || node.name === null) && 'border-dashed',
      )}
    >
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 flex-1 font-medium">
          {node.name === null ? (
            'No node yet'
          ) : (
            <Truncated keepsEnd tooltip={cellText(node)}>
              {withoutPrefix(node.name, prefix)}
            </Truncated>
          )}
        </span>
        <span className="shrink-0 text-small">
          <CellState node={node} isStale={isStale} />
        </span>
      </span>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        aria-hidden
        data-live-color=""
        shapeRendering="crispEdges"
        className="mt-1 block max-w-full"
      >
        <Ticks node={node} geometry={pageGeometry} isStale={isStale} isAway={isAway} />
      </svg>
      {node.name === null ? null : (
        <>
          <Bar label="CPU" of={node.cpu} className="mt-2" />
          <Bar label="Mem" of={node.memory} className="mt-0.5" />
        </>
      )}
    </Link>
  )
}

function CellState({ node, isStale }: { node: NodeCellData; isStale: boolean }) {
  const { podCount, failingCount, health } = node
  const pods = `${podCount} ${podCount === 1 ? 'pod' : 'pods'}`
  if (isStale) return <span className="text-text-2">{pods}</span>
  if (node.name !== null && health.state !== 'healthy') {
    return <Status status={health.state} label={health.reason ?? undefined} />
  }
  if (failingCount > 0) return <Status status="failing" label={`${failingCount} of ${podCount} failing`} />
  return <span className="text-text-2">{pods}</span>
}

function Bar({ label, of, className }: { label: string; of: NodeCellData['cpu']; className: string }) {
  const width = (share: number | null) => `${Math.min(1, share ?? 0) * 100}%`
  const percent = (share: number | null) => (share === null ? '—' : `${Math.round(share * 100)}%`)
  return (
    <span
      className={cx(
        'grid grid-cols-[2rem_1fr_minmax(2.5rem,auto)] items-center gap-x-1 text-meta text-text-2',
        className,
      )}
      data-tooltip={`${label}: ${of.used === null ? 'use not measured' : `${percent(of.used)} used`}, ${percent(of.requested)} requested`}
    >
      {label}
      <span data-track="" className="relative block h-[3px] overflow-hidden rounded-full bg-active">
        <span
          className="absolute inset-y-0 left-0 bg-control forced-colors:opacity-40"
          style={{ width: width(of.requested) }}
        />
        <span className="absolute inset-y-0 left-0 bg-text-2" style={{ width: width(of.used) }} />
      </span>
      <span className="text-right tabular-nums">
        {of.used === null ? `${percent(of.requested)} requested` : percent(of.used)}
      </span>
    </span>
  )
}

/** The room of nodes that are not known yet. */
export function NodeCellSkeletons({ count }: { count: number }) {
  return (
    <DelayedSkeleton>
      <span className={grid}>
        {Array.from({ length: count }, (_, index) => (
          <span key={index} className="block h-[97px] rounded-control border border-line px-3 py-3">
            <Skeleton className="w-24" />
            <Skeleton className="mt-3 h-6 w-full" />
          </span>
        ))}
      </span>
    </DelayedSkeleton>
  )
}
