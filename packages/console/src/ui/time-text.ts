import { parseTimeStyle, timeStyleKey } from './time-style.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

interface Writers {
  key: string
  date: Intl.DateTimeFormat
  clock: Intl.DateTimeFormat
  zoned: Intl.DateTimeFormat
  precise: Intl.DateTimeFormat
  short: Intl.DateTimeFormat
  day: Intl.DateTimeFormat
}

let made: Writers | undefined

// Making a formatter costs more than writing a thousand times with it.
function writers(): Writers {
  const key = timeStyleKey()
  if (made?.key === key) return made
  const { timeZone, dateFormat, hourCycle } = parseTimeStyle(key)
  const zone = timeZone ? { timeZone } : {}
  const isHalfDay = hourCycle === '12'
  const hours = {
    hour: isHalfDay ? 'numeric' : '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: isHalfDay,
  } as const
  const write = (locale: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...zone, ...options })
  made = {
    key,
    date:
      dateFormat === 'iso'
        ? write('sv-SE', { year: 'numeric', month: '2-digit', day: '2-digit' })
        : write(dateFormat === 'month-day' ? 'en-US' : 'en-GB', {
            day: 'numeric',
            month: 'short',
            year: 'numeric',
          }),
    clock: write('en-GB', hours),
    zoned: write('en-GB', { ...hours, timeZoneName: 'short' }),
    precise: write('en-GB', { ...hours, fractionalSecondDigits: 3 }),
    short: write('en-GB', { hour: hours.hour, minute: '2-digit', hour12: isHalfDay }),
    day: write(dateFormat === 'month-day' ? 'en-US' : 'en-GB', { day: 'numeric', month: 'short' }),
  }
  return made
}

/** "21 Nov 2026, 12:04:31 UTC"; the month is a word, so no country reads it wrongly. */
export function absoluteTime(at: Date): string {
  return `${dateText(at)}, ${writers().zoned.format(at)}`
}

/** "21 Nov 2026". */
export function dateText(at: Date): string {
  return writers().date.format(at)
}

/** "12:04:31". */
export function clockTime(at: Date): string {
  return writers().clock.format(at)
}

/** "12:04". */
export function shortTime(at: Date): string {
  return writers().short.format(at)
}

/** "21 Nov". */
export function dayText(at: Date): string {
  return writers().day.format(at)
}

/** "12:04:31.204". */
export function preciseTime(at: Date): string {
  return writers().precise.format(at)
}

/** "2 min ago", "in 3 h", "just now"; from 30 days on the date. */
export function relativeTime(at: Date, now: Date): string {
  const distanceMs = now.getTime() - at.getTime()
  const size = Math.abs(distanceMs)
  if (Number.isNaN(size)) return '—'
  if (size < 10 * second) return 'just now'
  if (size >= 30 * day) return dateText(at)
  const amount =
    size < minute
      ? `${Math.floor(size / second)} s`
      : size < hour
        ? `${Math.floor(size / minute)} min`
        : size < day
          ? `${Math.floor(size / hour)} h`
          : `${Math.floor(size / day)} d`
  return distanceMs > 0 ? `${amount} ago` : `in ${amount}`
}

/** How long until the text of `relativeTime` changes, at least a second. */
export function nextTickMs(at: Date, now: Date): number {
  const size = Math.abs(now.getTime() - at.getTime())
  const unit = size < minute ? second : size < hour ? minute : hour
  return Math.max(second, unit - (size % unit))
}
