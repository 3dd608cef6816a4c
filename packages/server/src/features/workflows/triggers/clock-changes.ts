import type { Cron } from 'croner'

const minuteMs = 60_000
const hourMs = 3_600_000
const yearMs = 366 * 24 * hourMs

/**
 * What becomes of a schedule on the days of the coming year on which the clocks of its time zone change, in words.
 * Nothing where no due time lies near a change.
 */
export function clockChangeNotes(schedule: Cron, timeZone: string, from: Date): string[] {
  return clockChanges(timeZone, from).flatMap((change) => {
    const note = noteOf(schedule, timeZone, change)
    return note === undefined ? [] : [note]
  })
}

/** Offsets from UTC in milliseconds, before and after. */
type ClockChange = { at: Date; before: number; after: number }

function noteOf(schedule: Cron, timeZone: string, change: ClockChange): string | undefined {
  // A schedule that comes every hour is not changed by one hour more or less.
  if (hourField(schedule).startsWith('*')) return undefined
  const { at, before, after } = change
  const day = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'long' }).format(at)
  const [from, to] = [clockText(at, before), clockText(at, after)]
  if (after > before) {
    if (!comesWithin(schedule, change)) return undefined
    const next = schedule.nextRun(new Date(at.getTime() - 1))
    const isMoved = next !== null && next.getTime() - at.getTime() < 2 * (after - before)
    const result = isMoved ? `the run starts at ${clockText(next, after)}` : 'no run starts on that day'
    return `On ${day} the clocks go forward from ${from} to ${to}: ${result}.`
  }
  const span = before - after
  const runs = schedule
    .nextRuns(4, new Date(at.getTime() - span - 1))
    .filter((run) => run.getTime() < at.getTime() + span)
  if (runs.length === 0) return undefined
  const times = runs.map((run) => `${run.toISOString().slice(11, 16)} UTC`).join(' and ')
  const often = runs.length === 1 ? 'once' : `${runs.length} times`
  return `On ${day} the clocks go back from ${from} to ${to}: the run starts ${often}, at ${times}.`
}

/** Whether the schedule, on a day without a change, comes within the hour that this day leaves out. */
function comesWithin(schedule: Cron, { at, before, after }: ClockChange): boolean {
  const dayBefore = at.getTime() - 24 * hourMs
  const next = schedule.nextRun(new Date(dayBefore - 1))
  return next !== null && next.getTime() < dayBefore + (after - before)
}

const hourField = (schedule: Cron) => (schedule.getPattern() ?? '').trim().split(/\s+/)[1] ?? '*'

/** Clock time such as `02:30` where clocks are ahead of UTC by `offsetMs`. */
const clockText = (at: Date, offsetMs: number) =>
  new Date(at.getTime() + offsetMs).toISOString().slice(11, 16)

/** When the clocks of a time zone change within a year: at the beginning of a minute, whenever this is asked. */
function clockChanges(timeZone: string, from: Date): ClockChange[] {
  const offset = offsetReader(timeZone)
  const found: ClockChange[] = []
  const first = Math.floor(from.getTime() / minuteMs) * minuteMs
  for (let ms = first; ms < first + yearMs; ms += 24 * hourMs) {
    const before = offset(ms)
    const after = offset(ms + 24 * hourMs)
    if (before === after) continue
    let low = ms
    let high = ms + 24 * hourMs
    while (high - low > minuteMs) {
      const middle = low + Math.floor((high - low) / 2 / minuteMs) * minuteMs
      if (offset(middle) === before) low = middle
      else high = middle
    }
    found.push({ at: new Date(high), before, after })
  }
  return found
}

/** How far the clocks of a time zone are ahead of UTC at an instant, in milliseconds. */
function offsetReader(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (ms) => {
    const parts = Object.fromEntries(
      format.formatToParts(new Date(ms)).map(({ type, value }) => [type, Number(value)]),
    )
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1_000) * 1_000
  }
}
