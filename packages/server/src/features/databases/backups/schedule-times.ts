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

/** Throws AppError `invalid_request` for what is no schedule, or never comes. */
export function requireCron(cron: string | null): void {
  if (cron === null) return
  try {
    if (parse(cron).nextRun() !== null) return
  } catch (error) {
    throw new AppError('invalid_request', `"${cron}" is no schedule: use five fields as in crontab.`, {
      cause: error,
    })
  }
  throw new AppError('invalid_request', `"${cron}" never comes. Choose another schedule.`)
}
