import { Cron } from 'croner'
import { toString as cronWords } from 'cronstrue'
import { AppError } from '../../platform/errors.ts'

const parse = (cron: string, timeZone: string) =>
  new Cron(cron, { mode: '5-part', timezone: timeZone, paused: true })

/** The first time of a schedule after an instant, in a time zone whose clocks may change. */
export const nextTime = (cron: string, timeZone: string, after: Date): Date | null =>
  parse(cron, timeZone).nextRun(after)

/** "At 06:00, only on Monday" */
export const scheduleText = (cron: string): string => cronWords(cron, { use24HourTimeFormat: true })

/** Throws AppError `invalid_request` for what is no schedule, never comes, or comes more than once an hour. */
export function requireSchedule(cron: string, timeZone: string, now: Date): void {
  const times = timesOf(cron, timeZone, now)
  const [first, second] = times
  if (first === undefined) {
    throw new AppError('invalid_request', `"${cron}" never comes. Choose another schedule.`)
  }
  if (second !== undefined && second.getTime() - first.getTime() < 3_600_000) {
    throw new AppError('invalid_request', 'A report is issued once an hour at most. Choose fewer times.')
  }
}

function timesOf(cron: string, timeZone: string, now: Date): Date[] {
  try {
    return parse(cron, timeZone).nextRuns(2, now)
  } catch (cause) {
    throw new AppError('invalid_request', `"${cron}" is no schedule: use five fields as in crontab.`, {
      cause,
    })
  }
}
