/** Radii in units of the drawing: the rings lie between 98 and 272, the scale at 300. */
const cellThickness = 36
const scaleRadius = 300
/** Between two cells of a ring, and between two ticks of a cell, along the middle of the ring. */
const cellGap = 5
const tickPitch = 6
/** Room between the cell's border and its ticks. */
const tickMargin = 6

/** Where the needle stands, as a share of the scale. */
export const needleShare = 0.61

export interface ArcCell {
  inner: number
  /** Shares of the half circle, from the left. */
  from: number
  to: number
}

export interface Ring {
  inner: number
  cells: readonly ArcCell[]
  isAccent: boolean
}

/** A point of the half circle as "x y", the centre being the origin. */
export function point(radius: number, share: number): string {
  const angle = Math.PI * (1 - share)
  return `${round(radius * Math.cos(angle))} ${round(-radius * Math.sin(angle))}`
}

const round = (value: number) => Math.round(value * 100) / 100

/** Four clusters, each with as many nodes as its ring has room for. */
export const rings: readonly Ring[] = [
  { inner: 98, count: 4 },
  { inner: 144, count: 6 },
  { inner: 190, count: 7 },
  { inner: 236, count: 9 },
].map(({ inner, count }) => {
  const gap = cellGap / (Math.PI * (inner + cellThickness / 2))
  const width = (1 - gap * count) / count
  const cells = Array.from({ length: count }, (_, index) => {
    const from = gap / 2 + index * (width + gap)
    return { inner, from, to: from + width }
  })
  return { inner, cells, isAccent: inner === 236 }
})

/** The outline of a cell, with its corners cut by less than a pixel. */
export function arcCell({ inner, from, to }: ArcCell): string {
  const outer = inner + cellThickness
  return (
    `M${point(inner, from)}L${point(outer, from)}A${outer} ${outer} 0 0 1 ${point(outer, to)}` +
    `L${point(inner, to)}A${inner} ${inner} 0 0 0 ${point(inner, from)}Z`
  )
}

/** The ticks of a ring in one path: the ground of all of them, or how far those before the needle are filled. */
export function tickLines({ inner, cells }: Ring, part: 'ground' | 'use'): string {
  const from = inner + tickMargin
  const length = cellThickness - 2 * tickMargin
  const step = tickPitch / (Math.PI * (inner + cellThickness / 2))
  return cells
    .flatMap((cell, index) => {
      const count = Math.floor((cell.to - cell.from) / step - 0.5)
      const first = (cell.from + cell.to - (count - 1) * step) / 2
      return Array.from({ length: count }, (_, tick) => {
        const share = first + tick * step
        if (part === 'use' && share > needleShare - 0.005) return ''
        const end = part === 'ground' ? from + length : from + length * useOf(inner + index * 31 + tick)
        return `M${point(from, share)}L${point(end, share)}`
      })
    })
    .join('')
}

/** Between 0.35 and 0.95, and the same for the same seed: the drawing never changes. */
function useOf(seed: number): number {
  const wave = Math.sin(seed * 12.9898) * 43_758.5453
  return 0.35 + 0.6 * (wave - Math.floor(wave))
}

/** A mark every percent, longer at 5 and longest at 25. */
export const scaleMarks: readonly { from: string; to: string }[] = Array.from(
  { length: 101 },
  (_, percent) => {
    const length = percent % 25 === 0 ? 16 : percent % 5 === 0 ? 10 : 5
    return { from: point(scaleRadius, percent / 100), to: point(scaleRadius - length, percent / 100) }
  },
)
