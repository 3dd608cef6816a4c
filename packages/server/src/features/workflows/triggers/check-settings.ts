import { type TriggerSettings, triggerEventTable } from '@bey/contract'

import { AppError } from '../../../platform/errors.ts'
import { eventSchema } from '../runs/event-value.ts'
import type { Variables } from '../definition/expressions/check-expression.ts'
import { checkNamedExpression, checkTemplates } from '../steps/check-templates.ts'
import { nextScheduledTime, previewSchedule, ScheduleError } from './schedule.ts'

/** When a schedule is due first, or null for other triggers. Throws `invalid_request` with every wrong field. */
export function checkSettings(settings: TriggerSettings, now: Date): Date | null {
  if (settings.type === 'event' && !Object.hasOwn(triggerEventTable, settings.event)) {
    const message = `Choose one of these events: ${Object.keys(triggerEventTable).join(', ')}.`
    throw invalid([{ path: 'settings.event', message }])
  }
  const wrong = wrongTexts(settings)
  if (wrong.length > 0) throw invalid(wrong)
  if (settings.type !== 'schedule') return null
  const { cron, time_zone: timeZone } = settings
  return withScheduleErrors(() => {
    previewSchedule(cron, timeZone, now)
    return nextScheduledTime(cron, timeZone, now) ?? null
  }, 'settings.')
}

/** Names the field of a schedule that is wrong. */
export function withScheduleErrors<T>(work: () => T, prefix: string): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ScheduleError) {
      throw invalid([{ path: `${prefix}${error.field}`, message: error.message }])
    }
    throw error
  }
}

type FieldError = { path: string; message: string }

const mostShown = 200

function wrongTexts(settings: TriggerSettings): FieldError[] {
  const variables = variablesOf(settings)
  const key = settings.type === 'webhook' ? settings.event_key : undefined
  const expressions = Object.entries({ when: settings.when, event_key: key }).flatMap(([field, source]) =>
    source === undefined ? [] : [checkNamedExpression(source, `settings.${field}`, variables)],
  )
  // Also a field that the expression reads as an optional one: an event never gets it.
  return [...expressions, ...checkTemplates(settings.input, 'settings.input', variables)]
    .flatMap(({ path, problems }) => problems.map(({ message }) => ({ path, message })))
    .slice(0, mostShown)
}

/** What the expressions of a trigger may name. */
function variablesOf(settings: TriggerSettings): Variables {
  switch (settings.type) {
    case 'schedule':
      return { scheduled_at: {} }
    case 'webhook':
      return { body: {}, headers: {} }
    case 'event':
      return { event: eventSchema(settings.event) }
  }
}

function invalid(errors: readonly FieldError[]): AppError {
  return new AppError('invalid_request', errors[0]?.message ?? '', { errors: [...errors] })
}
