import type { FlowMap } from '@bey/contract'
import { boxWidth, type FlowLayout } from './flow-layout.ts'

type Edge = FlowMap['edges'][number]

/** The way of an edge as a cubic curve: start, two control points, end; and where its barrier stands. */
export type Curve = {
  edge: Edge
  points: readonly [number, number, number, number, number, number, number, number]
}

/** Curves of all edges between different nodes of the layout; edges of the same pair run beside one another. */
export function curvesOf({ anchors }: FlowLayout, edges: readonly Edge[]): Curve[] {
  return edges.flatMap((edge) => {
    const [from, to] = [anchors.get(edge.from), anchors.get(edge.to)]
    if (from === undefined || to === undefined || edge.from === edge.to) return []
    if (from.x === to.x) {
      const x = from.x + boxWidth
      const bulge = x + Math.min(58, 24 + Math.abs(to.y - from.y) / 8)
      return [{ edge, points: [x, from.y, bulge, from.y, bulge, to.y, x, to.y] as const }]
    }
    const isForward = to.x > from.x
    const [start, end] = isForward ? [from.x + boxWidth, to.x] : [from.x, to.x + boxWidth]
    const reach = (end - start) * 0.45
    // What goes back to the left is drawn a little lower, so that it does not cover what goes there.
    const shift = isForward ? 0 : 4
    return [
      {
        edge,
        points: [
          start,
          from.y + shift,
          start + reach,
          from.y + shift,
          end - reach,
          to.y + shift,
          end,
          to.y + shift,
        ] as const,
      },
    ]
  })
}

/** The point of a curve at a share of its way, 0 to 1. */
export function pointAt({ points }: Pick<Curve, 'points'>, share: number): { x: number; y: number } {
  const [ax, ay, bx, by, cx, cy, dx, dy] = points
  const rest = 1 - share
  const [a, b, c, d] = [rest ** 3, 3 * rest ** 2 * share, 3 * rest * share ** 2, share ** 3]
  return { x: a * ax + b * bx + c * cx + d * dx, y: a * ay + b * by + c * cy + d * dy }
}

const steps = 24

/** The curve that passes within `reach` px of a point, the nearest of them; undefined where none does. */
export function curveNear(curves: readonly Curve[], x: number, y: number, reach: number): Curve | undefined {
  let best: { curve: Curve; distance: number } | undefined
  for (const curve of curves) {
    const [ax, ay, bx, by, cx, cy, dx, dy] = curve.points
    if (x < Math.min(ax, bx, cx, dx) - reach || x > Math.max(ax, bx, cx, dx) + reach) continue
    if (y < Math.min(ay, by, cy, dy) - reach || y > Math.max(ay, by, cy, dy) + reach) continue
    let before = pointAt(curve, 0)
    for (let step = 1; step <= steps; step += 1) {
      const next = pointAt(curve, step / steps)
      const distance = distanceTo(x, y, before, next)
      if (distance <= reach && (best === undefined || distance < best.distance)) best = { curve, distance }
      before = next
    }
  }
  return best?.curve
}

type Point = { x: number; y: number }

function distanceTo(x: number, y: number, a: Point, b: Point): number {
  const [width, height] = [b.x - a.x, b.y - a.y]
  const length = width ** 2 + height ** 2
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - a.x) * width + (y - a.y) * height) / length))
  return Math.hypot(x - a.x - share * width, y - a.y - share * height)
}
