import type { ChartMark, ChartPanel, ChartRange } from './chart-types.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Distances of labels and of the small ticks between them. */
const tickSteps = [
  [minute, 15_000],
  [5 * minute, minute],
  [10 * minute, 5 * minute],
  [15 * minute, 5 * minute],
  [30 * minute, 10 * minute],
  [hour, 20 * minute],
  [3 * hour, hour],
  [6 * hour, hour],
  [12 * hour, 3 * hour],
  [day, 6 * hour],
  [2 * day, day],
  [7 * day, day],
  [30 * day, 10 * day],
  [60 * day, 30 * day],
] as const

const leastLabelPx = 62

export interface TimeTick {
  at: number
  isLabelled: boolean
  /** Whether labels are days rather than times of day. */
  isDay: boolean
}

/** Ticks of a time axis of `widthPx`. They stand at round times of a zone that is `offsetMs` ahead of UTC. */
export function timeTicks({ fromMs, toMs }: ChartRange, widthPx: number, offsetMs: number): TimeTick[] {
  const pxPerMs = widthPx / (toMs - fromMs)
  const last = tickSteps[tickSteps.length - 1] ?? [60 * day, 30 * day]
  const [major, minor] = tickSteps.find(([step]) => step * pxPerMs >= leastLabelPx) ?? last
  const ticks: TimeTick[] = []
  for (let at = Math.ceil((fromMs + offsetMs) / minor) * minor - offsetMs; at <= toMs; at += minor) {
    ticks.push({ at, isLabelled: (at + offsetMs) % major === 0, isDay: major >= day })
  }
  return ticks
}

/** Lines of a value axis from 0, at most four above it, and its end. */
export function valueAxis({
  series,
  references = [],
  band,
  top,
  ticks,
  base = 10,
}: Pick<ChartPanel, 'series' | 'references' | 'band' | 'top' | 'ticks' | 'base'>): {
  top: number
  ticks: number[]
} {
  if (top !== undefined && ticks !== undefined) return { top, ticks: [...ticks] }
  let most = 0
  const lines = [...series, ...references].map(({ values }) => values)
  for (const values of band ? [...lines, band.high] : lines) {
    for (const value of values) if (value !== null && value > most) most = value
  }
  const end = top ?? (most > 0 ? most * 1.08 : 1)
  const step = roundStep(end / 4, base)
  const marks: number[] = []
  for (let value = 0; value <= end; value += step) marks.push(value)
  return { top: end, ticks: ticks ? [...ticks] : marks }
}

/** The smallest round number from `least` on: 1, 2, 2.5, 5 × 10ⁿ, or powers of two. */
function roundStep(least: number, base: 2 | 10): number {
  if (base === 2) return 2 ** Math.ceil(Math.log2(least))
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 2.5, 5].find((factor) => factor * power >= least * 0.999) ?? 10) * power
}

/** Moves labels apart until each two are `leastPx` from another, within 0 and `heightPx`, keeping their order. */
export function spread(wanted: readonly number[], leastPx: number, heightPx: number): number[] {
  const order = wanted.map((y, index) => ({ y, index })).toSorted((a, b) => a.y - b.y || a.index - b.index)
  let previous = Number.NEGATIVE_INFINITY
  for (const each of order) {
    each.y = Math.max(each.y, previous + leastPx)
    previous = each.y
  }
  let next = Math.max(heightPx, (order.length - 1) * leastPx) + leastPx
  for (const each of order.toReversed()) {
    each.y = Math.min(each.y, next - leastPx)
    next = each.y
  }
  const placed = wanted.map(() => 0)
  for (const { y, index } of order) placed[index] = y
  return placed
}

export interface MarkGroup {
  /** Pixels from the beginning of the range. */
  x: number
  marks: ChartMark[]
}

/** Distances at which two marks, and a count of several and what is beside it, do not touch. */
const leastMarkPx = 8
const leastCountPx = 14

/** Marks within the range; those that would touch are counted together. */
export function groupMarks(
  marks: readonly ChartMark[],
  xOf: (at: number) => number,
  range: ChartRange,
): MarkGroup[] {
  const groups: MarkGroup[] = []
  const inside = marks.filter(({ at }) => at >= range.fromMs && at <= range.toMs)
  for (const mark of inside.toSorted((a, b) => a.at - b.at)) {
    let group: MarkGroup = { x: xOf(mark.at), marks: [mark] }
    // A count is wider than its marks: it may touch what stood beside the first of them.
    for (let last = groups.at(-1); last && touches(last, group); last = groups.at(-1)) {
      groups.pop()
      group = { x: last.x, marks: [...last.marks, ...group.marks] }
    }
    groups.push(group)
  }
  return groups
}

function touches(before: MarkGroup, after: MarkGroup): boolean {
  const isCount = before.marks.length > 1 || after.marks.length > 1
  return after.x - before.x < (isCount ? leastCountPx : leastMarkPx)
}

/** The index of the last value, or -1. */
export function lastIndex(values: readonly (number | null)[]): number {
  return values.findLastIndex((value) => value !== null)
}

/** A value in words: of a step that was not measured, that. */
export function valueText(value: number | null | undefined, format: (value: number) => string): string {
  return value === null || value === undefined ? '—' : format(value)
}

/** About the width of a character of the small text, in px. */
const characterPx = 6.2

/**
 * Where the text beside the line of trouble stands, at `x` of `width` px: before it in the right half, else behind it,
 * and never on the panel's title.
 */
export function troublePlace(
  x: number,
  width: number,
  title: string,
  text: string,
): { left: number } | { right: number } {
  const textPx = text.length * characterPx
  const titleEnd = title.length * characterPx + 8
  if (x > width / 2 && x - 4 - textPx >= titleEnd) return { right: width - x + 4 }
  const left = Math.max(x + 4, titleEnd)
  return left + textPx <= width ? { left } : { right: 0 }
}
