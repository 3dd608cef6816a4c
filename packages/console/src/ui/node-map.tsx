import { cx } from './class-names.ts'
import type { Bar, NodeCellData, NodeGeometry } from './node-ticks.ts'
import { nodeTicks, phoneGeometry, rowGeometry } from './node-ticks.ts'

/**
 * Nodes as cells and pods as ticks that are filled by use; marked only where something is wrong. In a row of a table,
 * and smaller on a phone. Whoever does not see it reads `label`.
 */
export function NodeMap({
  nodes,
  label,
  isStale = false,
}: {
  nodes: readonly NodeCellData[]
  label: string
  isStale?: boolean
}) {
  return (
    // One picture of many parts, which an image element cannot hold.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div role="img" aria-label={label} className="flex flex-wrap gap-1">
      {nodes.map((node) => (
        <span key={node.name ?? ''} data-tooltip={cellText(node)} className="block">
          <span className="block max-md:hidden">
            <NodePictureCell node={node} geometry={rowGeometry} isStale={isStale} />
          </span>
          <span className="block md:hidden">
            <NodePictureCell node={node} geometry={phoneGeometry} isStale={isStale} />
          </span>
        </span>
      ))}
    </div>
  )
}

/** One node as a picture of its pods and its use. */
export function NodePictureCell({
  node,
  geometry,
  isStale = false,
}: {
  node: NodeCellData
  geometry: NodeGeometry
  isStale?: boolean
}) {
  const { width, height, radius, bar } = geometry
  const isAway = node.name !== null && node.health.state !== 'healthy' && node.health.reason === 'NotReady'
  const isWaiting = node.name === null
  const isMarked = !isStale && (node.failingCount > 0 || node.health.state === 'failing')
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden
      data-live-color=""
      shapeRendering="crispEdges"
      className="block overflow-visible"
    >
      <rect
        x="0.5"
        y="0.5"
        width={width - 1}
        height={height - 1}
        rx={radius}
        fill="none"
        shapeRendering="auto"
        strokeDasharray={isAway || isWaiting ? '3 2' : undefined}
        className="stroke-line-strong"
      />
      <Ticks node={node} geometry={geometry} isStale={isStale} isAway={isAway} />
      {isWaiting ? null : <UseBar bar={bar} of={node.cpu} />}
      {isMarked ? <Mark x={width - 6} /> : null}
    </svg>
  )
}

/** The ticks of one node. Free slots go on as stubs, so that the rule of the picture does. */
export function Ticks({
  node,
  geometry,
  isStale,
  isAway,
  by = 'cpu',
}: {
  node: NodeCellData
  geometry: NodeGeometry
  isStale: boolean
  isAway: boolean
  by?: 'cpu' | 'memory'
}) {
  const { ground, fill, failing, stubs } = nodeTicks(node.pods, geometry, by)
  const hidesUse = isStale || isAway
  return (
    <>
      <path d={stubs} className="fill-line" />
      <path d={ground} className={node.name === null && !isStale ? 'fill-warn' : 'fill-line-strong'} />
      {hidesUse ? null : <path d={fill} className="fill-text-3" />}
      <path d={failing} className={isStale ? 'fill-line-strong' : 'fill-danger'} />
    </>
  )
}

/** Used on requested on what can be allocated. */
function UseBar({ bar, of }: { bar: Bar; of: NodeCellData['cpu'] }) {
  const part = (share: number | null) => Math.round(Math.min(1, share ?? 0) * bar.width)
  return (
    <>
      <rect {...bar} className="fill-active" />
      <rect {...bar} width={part(of.requested)} className="fill-line-strong" />
      <rect {...bar} width={part(of.used)} className="fill-text-2" />
    </>
  )
}

function Mark({ x }: { x: number }) {
  return (
    <path
      d={`M${x} -3.5 l5 9 h-10 z`}
      shapeRendering="auto"
      strokeWidth="1.5"
      className={cx('fill-danger stroke-bg')}
    />
  )
}

/** What a node says when it is pointed at: its pods, which of them fail and why, and what is used. */
export function cellText({
  name,
  podCount,
  failingCount,
  failing = [],
  cpu,
  memory,
  health,
}: NodeCellData): string {
  const unnamed = failingCount - failing.length
  return [
    name ?? 'No node yet',
    `${podCount} ${podCount === 1 ? 'pod' : 'pods'}${failingCount > 0 ? `, ${failingCount} failing` : ''}`,
    ...failing.map((pod) => `${pod.name}: ${pod.reason ?? 'failing'}`),
    ...(failing.length > 0 && unnamed > 0 ? [`and ${unnamed} more`] : []),
    ...(name === null ? [] : [usedText(cpu.used, memory.used)]),
    ...(health.state === 'healthy' ? [] : [`${health.reason ?? health.state}`]),
  ].join('\n')
}

function usedText(cpu: number | null, memory: number | null): string {
  if (cpu === null && memory === null) return 'use not measured'
  const percent = (share: number | null) => (share === null ? '—' : `${Math.round(share * 100)}%`)
  return `CPU ${percent(cpu)}, memory ${percent(memory)} used`
}
