type Elementwise = (value: number, a: number, b: number) => number

function roundTo(value: number, nearest: number): number {
  if (nearest === 0) return Number.NaN
  // Halves are rounded up, also below zero.
  const inverse = 1 / nearest
  return Math.floor(value * inverse + 0.5) / inverse
}

const utc = (part: (date: Date) => number) => (value: number) => part(new Date(value * 1_000))

/** Functions of each value by itself, with up to two numbers. */
export const elementwise: ReadonlyMap<string, Elementwise> = new Map<string, Elementwise>([
  ['abs', Math.abs],
  ['ceil', Math.ceil],
  ['floor', Math.floor],
  ['sqrt', Math.sqrt],
  ['ln', Math.log],
  ['log2', Math.log2],
  ['log10', Math.log10],
  ['exp', Math.exp],
  ['sgn', Math.sign],
  ['round', (value, nearest) => roundTo(value, Number.isNaN(nearest) ? 1 : nearest)],
  // NaN where the bounds contradict each other is left out by the caller.
  ['clamp', (value, least, most) => Math.max(least, Math.min(most, value))],
  ['clamp_min', (value, least) => Math.max(least, value)],
  ['clamp_max', (value, most) => Math.min(most, value)],
  ['hour', utc((date) => date.getUTCHours())],
  ['minute', utc((date) => date.getUTCMinutes())],
  ['day_of_week', utc((date) => date.getUTCDay())],
  ['day_of_month', utc((date) => date.getUTCDate())],
  ['month', utc((date) => date.getUTCMonth() + 1)],
  ['year', utc((date) => date.getUTCFullYear())],
])

/** Functions that read a time in seconds, that of the evaluation by default. */
export const timeFunctions: ReadonlySet<string> = new Set([
  'hour',
  'minute',
  'day_of_week',
  'day_of_month',
  'month',
  'year',
])
