import type { NotificationDigest } from '@bey/contract'
import { notificationRuleBounds } from '@bey/contract/notifications/rules'

export type Timing = {
  /** `22:00`; both or neither. */
  quietFrom: string | null
  quietTo: string | null
  /** An IANA name. */
  timeZone: string
  digest: NotificationDigest
}

const minuteMs = 60_000
const minutesOfDay = 24 * 60

/** When what happens now is sent: at once, with the next digest, or at the end of the quiet hours. */
export function dueTime(now: Date, { quietFrom, quietTo, timeZone, digest }: Timing): Date {
  const due = nextDigest(now, timeZone, digest)
  if (quietFrom === null || quietTo === null) return due
  const minute = minuteOfDay(due, timeZone)
  const from = minuteOf(quietFrom)
  const to = minuteOf(quietTo)
  const isQuiet = from <= to ? minute >= from && minute < to : minute >= from || minute < to
  return isQuiet ? after(due, minutesUntil(minute, to)) : due
}

function nextDigest(now: Date, timeZone: string, digest: NotificationDigest): Date {
  const minute = minuteOfDay(now, timeZone)
  switch (digest) {
    case 'none':
      return now
    case 'hourly':
      return after(now, 60 - (minute % 60))
    case 'daily':
      return after(now, minutesUntil(minute, notificationRuleBounds.digestHour * 60))
  }
}

/** A whole day later where it is that minute now. */
function minutesUntil(minute: number, to: number): number {
  return (to - minute + minutesOfDay) % minutesOfDay || minutesOfDay
}

/** At the beginning of that minute. */
function after(at: Date, minutes: number): Date {
  return new Date(Math.floor(at.getTime() / minuteMs) * minuteMs + minutes * minuteMs)
}

function minuteOf(clock: string): number {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return hour * 60 + minute
}

function minuteOfDay(at: Date, timeZone: string): number {
  const text = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at)
  return minuteOf(text)
}
