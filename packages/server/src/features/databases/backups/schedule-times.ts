import { Cron } from 'croner'

import { AppError } from '../../../platform/errors.ts'

const parse = (cron: string) => new Cron(cron, { mode: '5-part', timezone: 'UTC', paused: true })

/** When a schedule, in UTC, comes next after an instant; null without one. */
export function nextTime(cron: string | null, after: Date): Date | null {
  return cron === null ? null : parse(cron).nextRun(after)
}

/** How often a schedule came after `from`, until `to`; at most 100 are counted. */
export function timesBetween(cron: string, from: Date, to: Date): number {
  return parse(cron)
    .nextRuns(100, from)
    .filter((at) => at.getTime() <= to.getTime()).length
}

/** Throws AppError `invalid_request` for what is no schedule, or never comes, with the field that it is in. */
export function requireCron(cron: string | null, path = 'schedule'): void {
  if (cron === null) return
  const wrong = (message: string, cause?: unknown) =>
    new AppError('invalid_request', message, { errors: [{ path, message }], cause })
  let next: Date | null
  try {
    next = parse(cron).nextRun()
  } catch (error) {
    throw wrong(`"${cron}" is no schedule: use five fields as in crontab.`, error)
  }
  if (next === null) throw wrong(`"${cron}" never comes. Choose another schedule.`)
}
