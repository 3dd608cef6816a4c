import { Ticks } from './node-map.tsx'
import type { NodeCellData, NodeGeometry } from './node-ticks.ts'
import { useWidth } from './use-width.ts'

const height = 72
const inset = 12
const tickHeight = 32
const pitch = 6

/** The most pods that are drawn where the node takes more and has fewer. */
const mostSlots = 250

/** One node across the width of its page: a tick for each pod, free slots as stubs, CPU and memory beneath. */
export function NodeStrip({
  node,
  slots,
  label,
  isStale = false,
}: {
  node: NodeCellData
  /** How many pods the node takes. */
  slots: number
  /** What it says, for whoever does not see it. */
  label: string
  isStale?: boolean
}) {
  const [box, width] = useWidth()
  const isAway = node.health.reason === 'NotReady'
  const room = Math.max(0, width - 2 * inset)
  const geometry = geometryOf(room, Math.min(mostSlots, Math.max(slots, node.podCount)))
  return (
    <div ref={box} className="h-18 w-full">
      <svg
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn in place, in the colours of the theme
        role="img"
        aria-label={label}
        viewBox={`0 0 ${Math.max(1, width)} ${height}`}
        width={width}
        height={height}
        data-live-color=""
        shapeRendering="crispEdges"
        className="block overflow-visible"
      >
        <rect
          x="0.5"
          y="0.5"
          width={Math.max(0, width - 1)}
          height={height - 1}
          rx="6"
          fill="none"
          shapeRendering="auto"
          strokeDasharray={isAway ? '3 2' : undefined}
          className="stroke-line-strong"
        />
        {geometry.slots.columns > 0 ? (
          <Ticks node={node} geometry={geometry} isStale={isStale} isAway={isAway} />
        ) : null}
        <LevelBar y={52} width={room} of={node.cpu} />
        <LevelBar y={59} width={room} of={node.memory} />
      </svg>
    </div>
  )
}

function geometryOf(room: number, count: number): NodeGeometry {
  return {
    width: room,
    height,
    radius: 6,
    tick: { width: 4, height: tickHeight, failingWidth: 4, pitch },
    slots: {
      rows: 1,
      columns: Math.min(count, Math.floor((room + 2) / pitch)),
      x: inset,
      y: 10,
      rowPitch: tickHeight,
    },
    bar: { x: 0, y: 0, width: 0, height: 0 },
  }
}

function LevelBar({ y, width, of }: { y: number; width: number; of: NodeCellData['cpu'] }) {
  const part = (share: number | null) => Math.round(Math.min(1, share ?? 0) * width)
  return (
    <>
      <rect x={inset} y={y} width={width} height={3} className="fill-active" />
      <rect x={inset} y={y} width={part(of.requested)} height={3} className="fill-line-strong" />
      <rect x={inset} y={y} width={part(of.used)} height={3} className="fill-text-2" />
    </>
  )
}
