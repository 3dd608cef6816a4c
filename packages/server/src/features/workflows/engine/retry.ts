import { and, eq, inArray, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { stepAttempts } from '../../../tables/step-attempts.ts'
import { moveStep } from '../moves.ts'
import type { LockedRun, LogLine, StepRow } from '../runs/store.ts'
import type { Outcome } from './attempt.ts'
import type { Execution } from './execution.ts'
import { planStepOf } from './plan.ts'
import { lineOf, type RunChange, unchanged } from './run-change.ts'

export type Retry = { delayMs: number; left: number }

/** Whether a failed attempt is followed by another one, and after which delay; an interruption does not count. */
export async function retryOf(
  x: Execution,
  db: Db,
  run: LockedRun,
  key: string,
  step: StepRow,
  outcome: Outcome,
): Promise<Retry | undefined> {
  if (outcome.status !== 'failed' && outcome.status !== 'timed_out') return undefined
  const work = planStepOf(x.plan, key)?.work
  const policy = work?.kind === 'own' ? work.definition.retry : undefined
  const isEnding = run.status === 'cancelling' || x.hasTimedOut()
  if (policy === undefined || isEnding || policy.on?.includes(outcome.reason) === false) return undefined
  const [counted] = await db
    .select({ failures: sql<number>`count(*)::int` })
    .from(stepAttempts)
    .where(and(eq(stepAttempts.stepRunId, step.id), inArray(stepAttempts.status, ['failed', 'timed_out'])))
  const failures = (counted?.failures ?? 0) + 1
  if (failures > policy.limit) return undefined
  return { delayMs: delayOf(policy, failures, Math.random()), left: policy.limit - failures }
}

type Policy = { initialMs: number; factor: number; maxMs: number; jitter: number }

/** The delay before the attempt after `failures` failed ones, in milliseconds; `random` is from 0 to 1. */
function delayOf({ initialMs, factor, maxMs, jitter }: Policy, failures: number, random: number): number {
  const full = Math.min(maxMs, initialMs * factor ** (failures - 1))
  return Math.round(full * (1 - jitter * random))
}

export function retryChange(
  run: LockedRun,
  step: StepRow,
  outcome: Outcome,
  { delayMs, left }: Retry,
  lines: readonly LogLine[],
  now: Date,
): RunChange {
  const message = 'message' in outcome ? outcome.message : ''
  const attempt = {
    stepRunId: step.id,
    attempt: step.attempt,
    status: outcome.status,
    at: now,
    error: { message },
  }
  const note = `Retrying in ${delayMs} ms (${left === 0 ? 'last attempt' : `${left} more ${left === 1 ? 'attempt' : 'attempts'} after that`})`
  const waiting = {
    ...step,
    status: moveStep(step.status, 'retry_wait'),
    nextAt: new Date(now.getTime() + delayMs),
    note,
    error: { message },
  }
  return {
    ...unchanged(run),
    steps: [waiting],
    attempts: [attempt],
    lines: [...lines, lineOf(step, 'warning', note, now)],
    current: waiting,
  }
}
