const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const dateTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
})
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** "21 Nov 2026, 12:04:31 UTC"; the month is a word, so no country reads it wrongly. */
export function absoluteTime(at: Date): string {
  return dateTime.format(at)
}

/** "12:04:31". */
export function clockTime(at: Date): string {
  return clock.format(at)
}

/** "2 min ago", "in 3 h", "just now"; from 30 days on the date. */
export function relativeTime(at: Date, now: Date): string {
  const distanceMs = now.getTime() - at.getTime()
  const size = Math.abs(distanceMs)
  if (Number.isNaN(size)) return '—'
  if (size < 10 * second) return 'just now'
  if (size >= 30 * day) return date.format(at)
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
