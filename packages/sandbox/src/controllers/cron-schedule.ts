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
  /** Day of month and day of week are alternatives when neither is `*`, alone or in a list. */
  isEitherDay: boolean
  /** The time between runs, of `@every 90m`. */
  everyMs?: number
}

function number(text: string, field: Field): number {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1
  if (named >= 0) return named + field.min
  if (/^-\d+$/.test(text)) throw new RangeError(`negative number (${text}) not allowed: ${text}`)
  if (!/^\+?\d+$/.test(text))
    throw new RangeError(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`,
    )
  return Number(text)
}

/** One part of a field, such as `*`, `5`, `1-5` or `10-50/5`. */
function parsePart(part: string, field: Field): { values: number[]; isStar: boolean } {
  const [range = '', step, ...slashes] = part.split('/')
  const [first = '', last, ...hyphens] = range.split('-')
  const isAll = first === '*' || first === '?'
  const from = isAll ? field.min : number(first, field)
  if (!isAll && hyphens.length > 0) throw new RangeError(`too many hyphens: ${part}`)
  if (slashes.length > 0) throw new RangeError(`too many slashes: ${part}`)
  const every = step === undefined ? 1 : number(step, { min: 0, max: 0 })
  const isOpen = isAll || (last === undefined && step !== undefined)
  const to = isOpen ? field.max : number(last ?? first, field)
  if (from < field.min)
    throw new RangeError(`beginning of range (${from}) below minimum (${field.min}): ${part}`)
  if (to > field.max) throw new RangeError(`end of range (${to}) above maximum (${field.max}): ${part}`)
  if (from > to) throw new RangeError(`beginning of range (${from}) beyond end of range (${to}): ${part}`)
  if (every === 0) throw new RangeError(`step of range should be a positive number: ${part}`)
  const values: number[] = []
  for (let value = from; value <= to; value += every) values.push(value)
  return { values, isStar: isAll && every === 1 }
}

const durationUnitsMs: Record<string, number> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 0.001,
  ns: 1e-6,
}

function parseEvery(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|ns)/g)]
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text)
    throw new RangeError(
      `failed to parse duration @every ${text}: time: invalid duration ${JSON.stringify(text)}`,
    )
  const ms = parts.reduce(
    (sum, [, value, unit = '']) => sum + Number(value) * (durationUnitsMs[unit] ?? 0),
    0,
  )
  return Math.max(1000, Math.floor(ms / 1000) * 1000)
}

/** Parses five-field cron or a shorthand such as `@daily`, as robfig's parser does. Throws RangeError with the reason. */
export function parseSchedule(text: string): Schedule {
  if (text === '') throw new RangeError('empty spec string')
  const every = /^@every (.*)$/.exec(text)?.[1]
  if (every !== undefined) return { sets: [], isEitherDay: false, everyMs: parseEvery(every) }
  if (text.startsWith('@') && !Object.hasOwn(shorthands, text))
    throw new RangeError(`unrecognized descriptor: ${text}`)
  const words = (shorthands[text] ?? text.trim()).split(/\s+/)
  if (words.length !== 5)
    throw new RangeError(`expected exactly 5 fields, found ${words.length}: [${words.join(' ')}]`)
  const parts = fields.map((field, i) =>
    (words[i] ?? '').split(',').flatMap((part) => (part === '' ? [] : [parsePart(part, field)])),
  )
  const isStar = (i: number) => parts[i]?.some((part) => part.isStar) ?? false
  return {
    sets: parts.map((list) => new Set(list.flatMap(({ values }) => values))),
    isEitherDay: !isStar(2) && !isStar(4),
  }
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
  if (schedule.everyMs !== undefined) return Math.floor(afterMs / 1000) * 1000 + schedule.everyMs
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
