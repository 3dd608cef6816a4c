const unitsMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** How long `sleep` sleeps; undefined for what is no time. */
export function sleepMs(text: string): number | undefined {
  if (text === 'infinity' || text === 'inf') return Infinity
  const match = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(text)
  return match ? Number(match[1]) * (unitsMs[match[2] || 's'] ?? 1000) : undefined
}

const two = (value: number) => String(value).padStart(2, '0')

const parts: Record<string, (date: Date, words: readonly string[]) => string> = {
  Y: (date) => String(date.getUTCFullYear()),
  m: (date) => two(date.getUTCMonth() + 1),
  d: (date) => two(date.getUTCDate()),
  e: (date) => String(date.getUTCDate()).padStart(2, ' '),
  H: (date) => two(date.getUTCHours()),
  M: (date) => two(date.getUTCMinutes()),
  S: (date) => two(date.getUTCSeconds()),
  s: (date) => String(Math.floor(date.getTime() / 1000)),
  N: (date) => `${String(date.getUTCMilliseconds()).padStart(3, '0')}000000`,
  a: (_date, [day = '']) => day.slice(0, 3),
  b: (_date, [, , month = '']) => month,
  Z: () => 'UTC',
  z: () => '+0000',
  F: (date) => date.toISOString().slice(0, 10),
  T: (date) => date.toISOString().slice(11, 19),
  '%': () => '%',
}

/** What `date` prints, in UTC: as its `+` operand says, or as it does by itself. */
export function dateText(timeMs: number, operands: readonly string[]): string {
  const date = new Date(timeMs)
  const isIso = operands.some((one) => /^(-I|--iso-8601)/.test(one))
  const own = operands.find((one) => one.startsWith('+'))?.slice(1)
  const format = own ?? (isIso ? '%FT%T+00:00' : '%a %b %e %T %Z %Y')
  const words = date.toUTCString().split(' ')
  return format.replaceAll(/%([%A-Za-z])/g, (whole, letter: string) => parts[letter]?.(date, words) ?? whole)
}
