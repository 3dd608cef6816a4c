import type { ReportParameters, ReportPeriod } from '@bey/contract/reports/rules'

/** A stretch of time in whole days of a time zone, with its name. */
export type Span = { from: Date; to: Date; label: string }

type Day = { year: number; month: number; day: number }

/**
 * The period of a report at `now`, and the one of the same kind before it. Days begin at midnight of the time zone, also
 * on the days when its clocks change; a period that is not over ends at `now`.
 */
export function spansOf(
  { period, timeZone }: Pick<ReportParameters, 'period' | 'timeZone'>,
  now: Date,
): { span: Span; before: Span } {
  const today = dayOf(now, timeZone)
  const [start, end, earlier] = boundsOf(period, today)
  const span = spanOf(start, end, timeZone, now)
  return { span, before: spanOf(earlier, start, timeZone, now) }
}

/** First day, the day after the last, and the first day of the period before. */
function boundsOf(period: ReportPeriod, today: Day): [Day, Day, Day] {
  const monday = addDays(today, -((weekdayOf(today) + 6) % 7))
  const first = { ...today, day: 1 }
  switch (period) {
    case 'last-week':
      return [addDays(monday, -7), monday, addDays(monday, -14)]
    case 'this-week':
      return [monday, addDays(today, 1), addDays(monday, -7)]
    case 'last-month':
      return [addMonths(first, -1), first, addMonths(first, -2)]
    case 'this-month':
      return [first, addDays(today, 1), addMonths(first, -1)]
    case 'last-30-days':
      return [addDays(today, -29), addDays(today, 1), addDays(today, -59)]
  }
}

function spanOf(start: Day, end: Day, timeZone: string, now: Date): Span {
  const from = midnight(start, timeZone)
  const ends = midnight(end, timeZone)
  return { from, to: ends > now ? now : ends, label: spanLabel(start, addDays(end, -1)) }
}

/** "16 to 22 November 2026" */
function spanLabel(first: Day, last: Day): string {
  if (asUtc(first) === asUtc(last)) return `${first.day} ${monthName(first)} ${first.year}`
  const isSameYear = first.year === last.year
  const isSameMonth = isSameYear && first.month === last.month
  const start = `${first.day}${isSameMonth ? '' : ` ${monthName(first)}`}${isSameYear ? '' : ` ${first.year}`}`
  return `${start} to ${last.day} ${monthName(last)} ${last.year}`
}

/** "Monday, 23 November 2026 at 06:00, Europe/Berlin" */
export function momentText(at: Date, timeZone: string): string {
  const text = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(at)
  return `${text}, ${timeZone}`
}

/** "23 Nov 2026, 06:00" */
export function shortTime(at: Date | string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(at))
}

/** "23 Nov" */
export function dayText(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short' }).format(at)
}

const dayMs = 86_400_000
const asUtc = ({ year, month, day }: Day) => Date.UTC(year, month - 1, day)
const weekdayOf = (day: Day) => new Date(asUtc(day)).getUTCDay()
const monthName = (day: Day) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long' }).format(new Date(asUtc(day)))

function fromUtc(ms: number): Day {
  const date = new Date(ms)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

const addDays = (day: Day, days: number) => fromUtc(asUtc(day) + days * dayMs)
const addMonths = ({ year, month }: Day, months: number) => fromUtc(Date.UTC(year, month - 1 + months, 1))

function wallClock(at: Date, timeZone: string): Day & { hour: number; minute: number; second: number } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  return {
    year: of('year'),
    month: of('month'),
    day: of('day'),
    hour: of('hour'),
    minute: of('minute'),
    second: of('second'),
  }
}

function dayOf(at: Date, timeZone: string): Day {
  const { year, month, day } = wallClock(at, timeZone)
  return { year, month, day }
}

/** The instant at which a day begins in a time zone; its offset may differ from that of the day before. */
function midnight(day: Day, timeZone: string): Date {
  const wanted = asUtc(day)
  let guess = wanted
  // The offset at the guess is right after at most two corrections.
  for (let step = 0; step < 2; step += 1) {
    const { hour, minute, second, ...shown } = wallClock(new Date(guess), timeZone)
    guess += wanted - (asUtc(shown) + ((hour * 60 + minute) * 60 + second) * 1000)
  }
  return new Date(guess)
}
