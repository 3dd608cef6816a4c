import { parseTimeStyle, timeStyleKey } from './time-style.ts'
import type { TimeStyle } from './time-style.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** "21 Nov 2026, 12:04:31 UTC"; the month is a word, so no country reads it wrongly. */
export function absoluteTime(at: Date): string {
  return `${dateText(at)}, ${clockTime(at)} ${zoneName(at)}`
}

/** "21 Nov 2026". */
export function dateText(at: Date): string {
  const { dateFormat } = currentStyle()
  const { year, month, day: dayOfMonth } = wallTime(at)
  if (dateFormat === 'iso') return `${year}-${twoDigits(month)}-${twoDigits(dayOfMonth)}`
  return dateFormat === 'month-day' ? `${dayText(at)}, ${year}` : `${dayText(at)} ${year}`
}

/** "12:04:31". */
export function clockTime(at: Date): string {
  const { hour, minute: minutes, second: seconds } = wallTime(at)
  return clockText(hour, `${twoDigits(minutes)}:${twoDigits(seconds)}`)
}

/** "12:04". */
export function shortTime(at: Date): string {
  const { hour, minute: minutes } = wallTime(at)
  return clockText(hour, twoDigits(minutes))
}

/**
 * Since when something is so: "23:43" of today, "23:43 yesterday", "19 Nov, 23:43", and with the year where it is another.
 * The hour stays over midnight: an incident that is minutes old has no use for a date alone.
 */
export function sinceText(since: string | Date, now: Date = new Date()): string {
  const at = new Date(since)
  return withDay(shortTime(at), at, now)
}

/** The same to the second, of a moment: "12:04:31", "23:43:10 yesterday". */
export function momentText(moment: string | Date, now: Date = new Date()): string {
  const at = new Date(moment)
  return withDay(clockTime(at), at, now)
}

function withDay(time: string, at: Date, now: Date): string {
  const days = dayNumber(now) - dayNumber(at)
  if (days === 0) return time
  if (days === 1) return `${time} yesterday`
  return `${wallTime(at).year === wallTime(now).year ? dayText(at) : dateText(at)}, ${time}`
}

/** Days since 1970 of the calendar that the reader has. */
function dayNumber(at: Date): number {
  const { year, month, day: dayOfMonth } = wallTime(at)
  return Date.UTC(year, month - 1, dayOfMonth) / day
}

/** "21 Nov". */
export function dayText(at: Date): string {
  const { month, day: dayOfMonth } = wallTime(at)
  const name = months[month - 1] ?? ''
  return currentStyle().dateFormat === 'month-day' ? `${name} ${dayOfMonth}` : `${dayOfMonth} ${name}`
}

/** "12:04:31.204". */
export function preciseTime(at: Date): string {
  const { hour, minute: minutes, second: seconds } = wallTime(at)
  const milliseconds = String(at.getMilliseconds()).padStart(3, '0')
  return clockText(hour, `${twoDigits(minutes)}:${twoDigits(seconds)}.${milliseconds}`)
}

/** The time of a line among others: "12:04:31.204", of another day "22 Nov, 23:43:10.204". */
export function lineTime(at: Date, now: Date = new Date()): string {
  const time = preciseTime(at)
  return isToday(at, now) ? time : `${dayText(at)}, ${time}`
}

/** Whether a moment is of this day of the calendar that the reader has. */
export function isToday(at: Date, now: Date = new Date()): boolean {
  return dayNumber(at) === dayNumber(now)
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

/** A moment as the clock on the reader's wall says it. */
interface WallTime {
  year: number
  /** From 1. */
  month: number
  day: number
  /** 0 to 23. */
  hour: number
  minute: number
  second: number
}

// The device's own zone needs no formatter, the first of which takes the browser as long as a page takes to render.
export function wallTime(at: Date): WallTime {
  const { timeZone } = currentStyle()
  if (timeZone) return wallTimeIn(timeZone, at)
  return {
    year: at.getFullYear(),
    month: at.getMonth() + 1,
    day: at.getDate(),
    hour: at.getHours(),
    minute: at.getMinutes(),
    second: at.getSeconds(),
  }
}

function wallTimeIn(timeZone: string, at: Date): WallTime {
  const parts = formatter(timeZone, {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((each) => each.type === type)?.value)
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  }
}

/** "UTC", "CET", "GMT+9". */
function zoneName(at: Date): string {
  const { timeZone } = currentStyle()
  const parts = formatter(timeZone ?? undefined, { hour: 'numeric', timeZoneName: 'short' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatter(timeZone: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${Object.keys(options).join(' ')}`
  const made = formatters.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone })
  formatters.set(key, made)
  return made
}

function clockText(hour: number, rest: string): string {
  if (currentStyle().hourCycle === '24') return `${twoDigits(hour)}:${rest}`
  return `${hour % 12 || 12}:${rest} ${hour < 12 ? 'am' : 'pm'}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

let style: { key: string; parsed: TimeStyle } | undefined

function currentStyle(): TimeStyle {
  const key = timeStyleKey()
  if (style?.key !== key) style = { key, parsed: parseTimeStyle(key) }
  return style.parsed
}
