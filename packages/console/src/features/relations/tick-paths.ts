import type { RelationBox } from '../../data/relations.ts'
import { boxGeometry, tickPoint } from './box-size.ts'

/** How a tick is drawn; all of one look are one path, so that 2,000 ticks are a few elements. */
export type TickLook = 'plain' | 'changed' | 'failing' | 'reached' | 'far' | 'path'

type Tick = RelationBox['ticks'][number]

/** Plain ticks are shorter, so that a difference is seen without colour. */
const plainHeight = 11

export function tickPaths(ticks: readonly Tick[], lookOf: (tick: Tick) => TickLook): Map<TickLook, string> {
  const paths = new Map<TickLook, string>()
  for (const [index, tick] of ticks.entries()) {
    const look = lookOf(tick)
    const { x, y } = tickPoint(index, ticks.length)
    const height = look === 'plain' ? plainHeight : boxGeometry.tickHeight
    const top = y + boxGeometry.tickHeight - height
    paths.set(
      look,
      `${paths.get(look) ?? ''}M${x} ${top}h${boxGeometry.tickWidth}v${height}h-${boxGeometry.tickWidth}z`,
    )
  }
  return paths
}
