type Field = { min: number; max: number; names?: readonly string[] }

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const fields: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: days },
]

const shorthands: Record<string, string> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

export type Schedule = {
  sets: readonly ReadonlySet<number>[]
  /** Day of month and day of week are alternatives when both are restricted. */
  isEitherDay: boolean
}

function number(text: string, field: Field): number {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1
  if (named >= 0) return named + field.min
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  // Sunday may be written 7.
  if (field.max === 6 && value === 7) return 0
  if (Number.isNaN(value)) throw new RangeError(`failed to parse int from ${text}`)
  if (value < field.min)
    throw new RangeError(`beginning of range (${value}) below minimum (${field.min}): ${text}`)
  if (value > field.max) throw new RangeError(`end of range (${value}) above maximum (${field.max}): ${text}`)
  return value
}

function parseField(text: string, field: Field): Set<number> {
  const values = new Set<number>()
  for (const part of text.split(',')) {
    const [range = '', step] = part.split('/')
    const every = step === undefined ? 1 : Number(step)
    if (!Number.isInteger(every) || every < 1)
      throw new RangeError(`step of range should be a positive number: ${part}`)
    const [first = '', last] = range.split('-')
    const isAll = first === '*' || first === '?'
    const from = isAll ? field.min : number(first, field)
    const to = isAll || (last === undefined && step !== undefined) ? field.max : number(last ?? first, field)
    if (from > to) throw new RangeError(`beginning of range (${from}) beyond end of range (${to}): ${part}`)
    for (let value = from; value <= to; value += every) values.add(value)
  }
  return values
}

/** Parses five-field cron or a shorthand such as `@daily`. Throws RangeError with the reason. */
export function parseSchedule(text: string): Schedule {
  const words = (shorthands[text.trim()] ?? text.trim()).split(/\s+/)
  if (words.length !== 5)
    throw new RangeError(`expected exactly 5 fields, found ${words.length}: [${words.join(' ')}]`)
  const sets = fields.map((field, i) => parseField(words[i] ?? '', field))
  const isRestricted = (word: string | undefined) => !/^[*?]/.test(word ?? '')
  return { sets, isEitherDay: isRestricted(words[2]) && isRestricted(words[4]) }
}

/** What is wrong with a schedule, or undefined. */
export function checkSchedule(text: string): string | undefined {
  if (/^\s*(CRON_)?TZ=/.test(text)) return 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
  try {
    parseSchedule(text)
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return error.message
    throw error
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Minutes to add to UTC at that moment in that zone. */
function offsetMinutes(timeMs: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
  formats.set(timeZone, format)
  const parts = Object.fromEntries(
    format.formatToParts(timeMs).map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts
  const local = Date.UTC(year, month - 1, day, hour, minute)
  return Math.round((local - Math.floor(timeMs / 60_000) * 60_000) / 60_000)
}

const minuteMs = 60_000
const horizonMinutes = 5 * 366 * 24 * 60

/** The first moment after `afterMs` at which the schedule is due, or undefined when there is none in five years. */
export function nextRun(schedule: Schedule, afterMs: number, timeZone = 'UTC'): number | undefined {
  const [minutes, hours, monthDays, monthsSet, weekDays] = schedule.sets
  let time = (Math.floor(afterMs / minuteMs) + 1) * minuteMs
  const end = time + horizonMinutes * minuteMs
  while (time < end) {
    const local = new Date(time + offsetMinutes(time, timeZone) * minuteMs)
    const isMonthDay = monthDays?.has(local.getUTCDate()) ?? false
    const isWeekDay = weekDays?.has(local.getUTCDay()) ?? false
    const isDay = schedule.isEitherDay ? isMonthDay || isWeekDay : isMonthDay && isWeekDay
    const minuteOfDay = local.getUTCHours() * 60 + local.getUTCMinutes()
    if (!monthsSet?.has(local.getUTCMonth() + 1) || !isDay) {
      time += (24 * 60 - minuteOfDay) * minuteMs
    } else if (!hours?.has(local.getUTCHours())) {
      time += (60 - local.getUTCMinutes()) * minuteMs
    } else if (!minutes?.has(local.getUTCMinutes())) {
      time += minuteMs
    } else return time
  }
  return undefined
}
