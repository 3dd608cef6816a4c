const hourMs = 3_600_000

/** A month of a time zone: `month` as `2026-11`, its bounds in ms and its days. */
export type Month = {
  month: string
  fromMs: number
  toMs: number
  /** Each with the full hour of UTC at which it begins. */
  days: { date: string; fromMs: number }[]
}

/**
 * The month that is called `2026-11` in a time zone. Days begin at the first full hour of UTC at or after their
 * midnight: an hour of UTC belongs to the day in which it begins, also where offsets are of half hours. A day has 23 or
 * 25 hours when the clocks change.
 */
export function monthOf(month: string, timeZone: string): Month {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate()
  const days = Array.from({ length: count }, (_none, index) => {
    const date = `${month}-${String(index + 1).padStart(2, '0')}`
    return { date, fromMs: dayStartMs(date, timeZone) }
  })
  const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10)
  return { month, days, fromMs: days[0]?.fromMs ?? 0, toMs: dayStartMs(next, timeZone) }
}

/** Hours of each day of a month by its date: 23 or 25 where the clocks change. */
export const hoursOfDays = ({ days, toMs }: Pick<Month, 'days' | 'toMs'>): Map<string, number> =>
  new Map(
    days.map(({ date, fromMs }, index) => [date, ((days[index + 1]?.fromMs ?? toMs) - fromMs) / hourMs]),
  )

/** The day of a time zone in which the hour of an instant begins, `2026-11-24`. */
export function dayOf(ms: number, timeZone: string): string {
  return wallTime(Math.floor(ms / hourMs) * hourMs, timeZone).date
}

export const monthOfInstant = (ms: number, timeZone: string) => dayOf(ms, timeZone).slice(0, 7)

/** The month before or after, `2026-10`. */
export function shiftMonth(month: string, by: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}

const names = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })

/** `November`. */
export const monthName = (month: string) => names.format(new Date(`${month}-01T00:00:00Z`))

function dayStartMs(date: string, timeZone: string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  // Offsets are between -12 and +14 hours; the first hour that begins on the day is the one looked for.
  let ms = midnight - 15 * hourMs
  while (wallTime(ms, timeZone).date < date) ms += hourMs
  return ms
}

const formats = new Map<string, Intl.DateTimeFormat>()

function wallTime(ms: number, timeZone: string): { date: string } {
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timeZone, format)
  }
  return { date: format.format(ms) }
}
