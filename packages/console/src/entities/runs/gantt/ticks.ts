/** A mark on an axis of time; `atMs` after its beginning. */
export interface Tick {
  atMs: number
  label: string
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const steps = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  second,
  2 * second,
  5 * second,
  10 * second,
  15 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  7 * day,
  30 * day,
  90 * day,
]

/** Round marks between two times after the beginning: at most nine. */
export function ticksOf(fromMs: number, toMs: number): readonly Tick[] {
  const step = steps.find((each) => (toMs - fromMs) / each <= 8) ?? 365 * day
  const first = Math.ceil(fromMs / step)
  return Array.from({ length: Math.floor(toMs / step) - first + 1 }, (_, index) => ({
    atMs: (first + index) * step,
    label: labelOf((first + index) * step),
  }))
}

/** "0", "30 s", "1 min 30 s", "2 h", "3 d": without parts that are zero. */
function labelOf(ms: number): string {
  if (ms === 0) return '0'
  if (ms < second || ms % second !== 0) return `${ms / second} s`
  const parts: [number, string][] = [
    [Math.floor(ms / day), 'd'],
    [Math.floor((ms % day) / hour), 'h'],
    [Math.floor((ms % hour) / minute), 'min'],
    [Math.floor((ms % minute) / second), 's'],
  ]
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count} ${unit}`] : [])).join(' ')
}
