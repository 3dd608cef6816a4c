import { dayText, isToday, wallTime } from '../../ui/time-text.ts'

const hourMs = 3_600_000
/** Hours of the reader's day that are drawn as night. */
const nightBegins = 20
const nightEnds = 6

/** A part of the axis, as shares (0–1) of its width. */
export interface AxisSpan {
  from: number
  to: number
}

export interface AxisDay {
  at: number
  text: string
}

interface Range {
  fromMs: number
  toMs: number
}

/** Where a moment stands, as a share of the axis; what lies outside stands at its end. */
export function shareOf(at: string | number, { fromMs, toMs }: Range): number {
  const ms = typeof at === 'number' ? at : Date.parse(at)
  return Math.min(1, Math.max(0, (ms - fromMs) / Math.max(1, toMs - fromMs)))
}

/** Nights of the reader within a range. */
export function nightsWithin(range: Range): AxisSpan[] {
  const nights: AxisSpan[] = []
  let open: AxisSpan | undefined
  for (let ms = range.fromMs; ms < range.toMs; ms = nextHour(ms)) {
    const { hour } = wallTime(new Date(ms))
    const to = shareOf(nextHour(ms), range)
    if (hour < nightBegins && hour >= nightEnds) open = undefined
    else if (open) open.to = to
    else nights.push((open = { from: shareOf(ms, range), to }))
  }
  return nights
}

/** Beginnings of the reader's days within a range, as many as their names have room for. */
export function daysWithin(range: Range, most: number): AxisDay[] {
  const days: number[] = []
  for (let ms = nextHour(range.fromMs); ms < range.toMs; ms = nextHour(ms)) {
    if (wallTime(new Date(ms)).hour === 0) days.push(ms)
  }
  const each = Math.max(1, Math.ceil(days.length / most))
  return days
    .filter((_, index) => (days.length - 1 - index) % each === 0)
    .map((ms) => ({ at: shareOf(ms, range), text: dayName(new Date(ms), new Date(range.toMs)) }))
}

/** The beginning of the next hour, also where zones differ by half an hour. */
function nextHour(ms: number): number {
  const { minute, second } = wallTime(new Date(ms))
  return ms - (ms % 1000) + hourMs - (minute * 60 + second) * 1000
}

const dayName = (at: Date, now: Date) => (isToday(at, now) ? 'today' : dayText(at))
