import type { Db } from '../../../platform/db/database.ts'
import type { LockedRun, LogLine, StepRow } from '../runs/store.ts'
import type { Outcome } from './attempt.ts'
import { endStep, type StepEnd } from './end-step.ts'
import { type Execution, type EventResult, record } from './execution.ts'
import { recordedEvent } from './recorded-event.ts'
import { isStepOver } from './run-change.ts'
import { retryChange, retryOf } from './retry.ts'

/** Keys of the steps that are looked at when an attempt ends so. */
export function keysToSettle(x: Execution, key: string, { status }: Outcome): string[] {
  const { open } = x.schedule.following(key, status)
  return open === undefined ? [key] : [key, open]
}

/**
 * Records the end of an attempt, once for each attempt: the step ends with it, or waits for its next attempt (`retry`).
 * The rows (of `keysToSettle`) are looked at first, for the commit of an earlier call may have succeeded.
 */
export async function settleAttempt(
  x: Execution,
  db: Db,
  run: LockedRun,
  key: string,
  { attempt }: Pick<StepRow, 'attempt'>,
  outcome: Outcome,
  lines: readonly LogLine[],
  rows: readonly StepRow[],
): Promise<EventResult | 'again' | 'retry'> {
  const step = rows.find((row) => row.key === key)
  if (step === undefined) return 'again'
  if (isStepOver(step.status) && step.attempt === attempt) {
    return { kind: 'event', event: await recordedEvent(db, run, step) }
  }
  if (step.status === 'retry_wait' && step.attempt === attempt) return 'retry'
  if (step.status !== 'running' || step.attempt !== attempt) return 'again'
  // Only a person cancels: without a recorded request the step was interrupted and is executed again.
  if (outcome.status === 'cancelled' && run.status !== 'cancelling' && !x.hasTimedOut()) return 'again'
  const retry = await retryOf(x, db, run, key, step, outcome)
  if (retry !== undefined) {
    await record(x, db, run, retryChange(run, step, outcome, retry, lines, x.parts.clock.now()))
    return 'retry'
  }
  const event = await endStep(x, db, run, key, step, stepEndOf(x, outcome), lines, rows)
  return { kind: 'event', event }
}

function stepEndOf(x: Execution, outcome: Outcome): StepEnd {
  switch (outcome.status) {
    case 'succeeded':
      return { result: 'succeeded', output: outcome.output }
    case 'cancelled':
      return x.hasTimedOut()
        ? { result: 'timed_out', error: { message: 'The time of the run was up.' } }
        : { result: 'cancelled' }
    default:
      return { result: outcome.status, error: { message: outcome.message } }
  }
}
