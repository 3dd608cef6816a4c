type Point = { x: number; y: number }
type Line = { from: string; to: string }

const aside: Readonly<Record<string, (by: Point) => boolean>> = {
  ArrowRight: ({ x, y }) => x > 0 && Math.abs(x) >= Math.abs(y) / 2,
  ArrowLeft: ({ x, y }) => x < 0 && Math.abs(x) >= Math.abs(y) / 2,
  ArrowDown: ({ x, y }) => y > 0 && y >= Math.abs(x) / 2,
  ArrowUp: ({ x, y }) => y < 0 && -y >= Math.abs(x) / 2,
}

/**
 * The box that an arrow key leads to: the nearest in that direction that an edge leads to, else the nearest of all.
 * Undefined for other keys, and where there is none.
 */
export function nextBox(
  from: string,
  key: string,
  layout: ReadonlyMap<string, Point>,
  lines: readonly Line[],
): string | undefined {
  const isAside = aside[key]
  const start = layout.get(from)
  if (!isAside || !start) return undefined
  const candidates = [...layout].flatMap(([kind, point]) => {
    const by = { x: point.x - start.x, y: point.y - start.y }
    if (kind === from || !isAside(by)) return []
    const isLinked = lines.some(
      (line) => (line.from === from && line.to === kind) || (line.to === from && line.from === kind),
    )
    return [{ kind, isLinked, distance: Math.hypot(by.x, by.y) }]
  })
  candidates.sort((a, b) => Number(b.isLinked) - Number(a.isLinked) || a.distance - b.distance)
  return candidates[0]?.kind
}
