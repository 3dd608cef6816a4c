import type { RelatedResource, RelationBox } from '../../data/relations.ts'
import { boxGeometry, tickPoint } from './box-size.ts'

interface PathOverlayProps {
  path: readonly RelatedResource[]
  boxOf: (kind: string) => { point: { x: number; y: number }; ticks: RelationBox['ticks'] } | undefined
}

/** A path from tick to tick, with the number of each step. What no tick represents is shown at the head of its box. */
export function PathOverlay({ path, boxOf }: PathOverlayProps) {
  const points = path.flatMap(({ id, kind }) => {
    const box = boxOf(kind)
    if (!box) return []
    const index = box.ticks.findIndex((tick) => tick.id === id)
    const { x, y } = index < 0 ? { x: 8, y: 8 } : tickPoint(index, box.ticks.length)
    return [
      {
        x: box.point.x + x + boxGeometry.tickWidth / 2,
        y: box.point.y + y + boxGeometry.tickHeight / 2,
      },
    ]
  })
  if (points.length < 2) return null
  return (
    <div aria-hidden className="pointer-events-none absolute top-0 left-0 z-10">
      <svg className="overflow-visible" width={1} height={1}>
        {points.slice(1).map((to, index) => {
          const from = points[index] ?? to
          const bend = Math.max(40, Math.abs(to.x - from.x) / 2) * (to.x >= from.x ? 1 : -1)
          return (
            <path
              key={index}
              d={`M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`}
              className="fill-none stroke-accent"
              strokeWidth={2}
            />
          )
        })}
      </svg>
      {points.map(({ x, y }, index) => (
        <span
          key={index}
          className="absolute flex size-4 items-center justify-center rounded-full bg-accent text-meta font-semibold text-accent-label"
          style={{ left: x - 8, top: y - 24 }}
        >
          {index + 1}
        </span>
      ))}
    </div>
  )
}
