import { missedAfterMs } from '@bey/contract'

import type { Db } from '../../../platform/db/database.ts'
import { fire } from './fire.ts'
import type { TriggerParts } from './ports.ts'
import { nextScheduledTime } from './schedule.ts'
import {
  listDueSchedules,
  type LockedTrigger,
  lockTrigger,
  mayFire,
  openRunsOf,
  type ScheduleSettings,
  updateTrigger,
} from './store.ts'

/** Missed times that are made up for, at most. */
const maxCaughtUp = 100
const schedulesAtOnce = 50

/**
 * Starts the runs of schedules that are due. A due time and its run are one transaction under the lock of the trigger,
 * so several servers share the work and each time starts one run, whatever is killed meanwhile.
 */
export function createScheduler(parts: TriggerParts) {
  const { database, clock } = parts

  async function runAllDue(): Promise<void> {
    const due = await database.asSystem('find due schedules', (db) =>
      listDueSchedules(db, clock.now(), schedulesAtOnce),
    )
    for (const { id, organizationId } of due) {
      await database
        .withTenant(organizationId, (db) => runDue(db, organizationId, id))
        .catch((error: unknown) => {
          parts.log.warn({ err: error, triggerId: id }, 'A schedule could not start its run')
        })
    }
  }

  async function runDue(db: Db, organizationId: number, id: string): Promise<void> {
    const trigger = await lockTrigger(db, organizationId, id)
    const now = clock.now()
    if (trigger?.settings.type !== 'schedule' || trigger.nextAt === null || trigger.nextAt > now) return
    if (!mayFire(trigger)) return
    const { settings } = trigger
    const { times, next } = dueTimes(settings, trigger.nextAt, now)
    const isHeld = await startAll(db, trigger, settings, times)
    // Held back: the same time is asked again when the run before it has ended.
    if (!isHeld) await updateTrigger(db, organizationId, id, { nextAt: next ?? null })
  }

  /** True when the due time waits for an earlier run. */
  async function startAll(
    db: Db,
    trigger: LockedTrigger,
    settings: ScheduleSettings,
    times: readonly Date[],
  ): Promise<boolean> {
    const open = settings.overlap === 'allow' ? [] : await openRunsOf(db, trigger.organizationId, trigger.id)
    if (open.length > 0) {
      if (settings.overlap === 'queue') return true
      if (settings.overlap === 'skip') {
        const lastError = 'Skipped, because an earlier run of this schedule has not ended.'
        await updateTrigger(db, trigger.organizationId, trigger.id, { lastError })
        return false
      }
      for (const runId of open) await parts.cancelRun(db, runId)
    }
    for (const time of times) {
      await fire(parts, db, trigger, 'schedule', { scheduled_at: time.toISOString() })
    }
    return false
  }

  return { runAllDue }
}

/** The times for which runs start now, by the catch-up policy, and the next one after now. */
function dueTimes(
  { cron, time_zone: timeZone, catch_up: catchUp }: ScheduleSettings,
  first: Date,
  now: Date,
): { times: Date[]; next: Date | undefined } {
  const passed: Date[] = []
  let next: Date | undefined = first
  while (next !== undefined && next <= now && passed.length < maxCaughtUp) {
    passed.push(next)
    next = nextScheduledTime(cron, timeZone, next)
  }
  if (next !== undefined && next <= now) next = nextScheduledTime(cron, timeZone, now)
  const missed = passed.filter((time) => now.getTime() - time.getTime() > missedAfterMs)
  const punctual = passed.slice(missed.length)
  if (catchUp === 'all') return { times: passed, next }
  if (catchUp === 'none') return { times: punctual, next }
  return { times: punctual.length > 0 ? punctual : missed.slice(-1), next }
}
