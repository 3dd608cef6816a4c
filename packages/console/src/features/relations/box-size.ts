/** Geometry of boxes and ticks, in px. */
export const boxGeometry = {
  pad: 9,
  head: 28,
  tickPitch: 6,
  tickWidth: 4,
  tickHeight: 16,
  rowHeight: 21,
  memberHeight: 24,
  maxMembers: 10,
  openWidth: 232,
} as const

const { pad, head, tickPitch, rowHeight, memberHeight, maxMembers, openWidth } = boxGeometry

/** Ticks in a row: wide boxes for many, so that none grows taller than the page. */
function columnsFor(ticks: number): number {
  return ticks <= 68 ? 17 : ticks <= 200 ? 22 : 28
}

export interface BoxShape {
  kind: string
  ticks: number
  /** Resources that are listed; undefined while the box is closed. */
  members: number | undefined
  /** What stands in the head at either end; the box is as wide as both. */
  head?: { title: string; count: string }
}

/** About the widths of a character of the title and of the count, and the room around and between them, in px. */
const [titlePx, countPx, headRoom] = [7.2, 6.6, 32]

export function boxSize({ ticks, members, head: words }: BoxShape): { width: number; height: number } {
  const columns = columnsFor(ticks)
  const rows = Math.max(1, Math.ceil(ticks / columns))
  const headWidth = words
    ? Math.ceil(words.title.length * titlePx + words.count.length * countPx) + headRoom
    : 0
  const width = Math.max(columns * tickPitch + 2 * pad, headWidth)
  const height = head + rows * rowHeight + pad
  return members === undefined
    ? { width, height }
    : {
        width: Math.max(width, openWidth),
        height: height + Math.min(Math.max(1, members), maxMembers) * memberHeight + pad,
      }
}

/** The upper left corner of a tick, within its box. */
export function tickPoint(index: number, ticks: number): { x: number; y: number } {
  const columns = columnsFor(ticks)
  return { x: pad + (index % columns) * tickPitch, y: head + Math.floor(index / columns) * rowHeight }
}

/** The tick at a point within the box; undefined beside all of them. */
export function tickAt(x: number, y: number, ticks: number): number | undefined {
  const columns = columnsFor(ticks)
  const column = Math.floor((x - pad) / tickPitch)
  const row = Math.floor((y - head) / rowHeight)
  const index = row * columns + column
  return column < 0 || column >= columns || row < 0 || index >= ticks ? undefined : index
}
