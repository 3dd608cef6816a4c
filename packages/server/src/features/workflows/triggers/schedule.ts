import { Cron } from 'croner'
import { toString as cronWords } from 'cronstrue'

import { clockChangeNotes } from './clock-changes.ts'

export type SchedulePreview = { summary: string; nextTimes: Date[]; notes: string[] }

/** A schedule as it was written cannot be used; the message says why and what to write. */
export class ScheduleError extends Error {
  /** The field of the settings that is wrong. */
  readonly field: 'cron' | 'time_zone'

  constructor(field: 'cron' | 'time_zone', message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ScheduleError'
    this.field = field
  }
}

/** A schedule in words with its next five times. Throws ScheduleError, also for one that never comes. */
export function previewSchedule(cron: string, timeZone: string, from: Date): SchedulePreview {
  const schedule = parseSchedule(cron, timeZone)
  const nextTimes = schedule.nextRuns(5, from)
  if (nextTimes.length === 0) {
    throw new ScheduleError('cron', 'This schedule never comes: no day has such a date.')
  }
  const summary = `${cronWords(cron, { use24HourTimeFormat: true })} (${timeZone})`
  return { summary, nextTimes, notes: clockChangeNotes(schedule, timeZone, from) }
}

/** The first time after an instant; undefined where there is none. Throws ScheduleError. */
export function nextScheduledTime(cron: string, timeZone: string, after: Date): Date | undefined {
  return parseSchedule(cron, timeZone).nextRun(after) ?? undefined
}

function parseSchedule(cron: string, timeZone: string): Cron {
  requireTimeZone(timeZone)
  const fields = cron.trim().split(/\s+/)
  if (fields.length !== 5 && !/^@[a-z]+$/.test(cron)) {
    throw new ScheduleError(
      'cron',
      `A schedule has five fields (minute, hour, day of month, month, day of week); this one has ${fields.length}. Example: 30 2 * * *`,
    )
  }
  try {
    return new Cron(cron, { timezone: timeZone, mode: '5-part' })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replace(/^CronPattern: /, '') : String(cause)
    throw new ScheduleError('cron', `This schedule cannot be read: ${why}`, { cause })
  }
}

function requireTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch (cause) {
    throw new ScheduleError(
      'time_zone',
      `There is no time zone "${timeZone}". Use a name such as Europe/Berlin or UTC.`,
      { cause },
    )
  }
}
