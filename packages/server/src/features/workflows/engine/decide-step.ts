import type { Db } from '../../../platform/db/database.ts'
import type { LockedRun, StepRow } from '../runs/store.ts'
import { endStep } from './end-step.ts'
import type { Execution, EventResult } from './execution.ts'
import { decideWaitingStep } from './flow/decide-waiting-step.ts'
import { recordedEvent } from './recorded-event.ts'
import { isStepOver } from './run-change.ts'
import { stepKeyOf } from './schedule.ts'
import { isLoop } from './step-kind.ts'

/** What is to be done for a step now. */
export type StepDecision =
  /** It is over, or was ended just now. */
  | EventResult
  /** Its rows are not what they should be. */
  | { kind: 'again' }
  /** Nothing until then, or until the run is woken. */
  | { kind: 'wait'; until: Date | null }
  /** It is under way and is executed here. */
  | { kind: 'execute'; step: StepRow; run: LockedRun }
  /** It may begin. */
  | { kind: 'begin'; step: StepRow; run: LockedRun }

/** Keys of the steps that are looked at for one. */
export function keysToDecide(x: Execution, key: string): string[] {
  return [key, ...needsOf(x, key)]
}

/** Looks at what is recorded of a step, in the transaction that has its run locked. `rows`: the steps of `keysToDecide`. */
export async function decideStep(
  x: Execution,
  db: Db,
  run: LockedRun,
  key: string,
  rows: readonly StepRow[],
): Promise<StepDecision> {
  const needs = needsOf(x, key)
  const step = rows.find((row) => row.key === key)
  if (step === undefined || rows.length < 1 + new Set(needs).size) return { kind: 'again' }
  if (rows.some((row) => row !== step && !isStepOver(row.status))) return { kind: 'again' }
  if (isStepOver(step.status)) return { kind: 'event', event: await recordedEvent(db, run, step) }
  // What undoes a step is done although the run is to end.
  const isEnding = (run.status === 'cancelling' || x.hasTimedOut()) && !key.endsWith('!undo')
  switch (step.status) {
    case 'running':
      if (isLoop(x.plan, key)) return { kind: 'event', event: await recordedEvent(db, run, step) }
      // Its process died after the cancel and before it heard of it: the step must not be executed once more.
      if (isEnding) break
      return { kind: 'execute', step, run }
    case 'uncertain':
      if (isEnding) break
      return { kind: 'wait', until: null }
    case 'waiting':
      return decideWaitingStep(x, db, run, key, step)
    default:
      break
  }
  if (isEnding) {
    const event = await endStep(x, db, run, key, step, { result: 'cancelled' })
    return { kind: 'event', event }
  }
  if (run.status === 'paused') return { kind: 'wait', until: null }
  const isTooEarly = step.nextAt !== null && step.nextAt > x.parts.clock.now()
  return isTooEarly ? { kind: 'wait', until: step.nextAt } : { kind: 'begin', step, run }
}

function needsOf(x: Execution, key: string): readonly string[] {
  return key === stepKeyOf(key) ? (x.plan.steps.get(key)?.needs ?? []) : []
}
