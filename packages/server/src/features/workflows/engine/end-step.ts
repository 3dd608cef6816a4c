import { stepMoves, type StepStatus } from '@bey/contract'

import type { Db } from '../../../platform/db/database.ts'
import type { RunEvent } from '../../../platform/engine/interpreter.ts'
import type { RunError } from '../../../tables/workflow-runs.ts'
import type { Json } from '../definition/definition.ts'
import { moveStep } from '../moves.ts'
import {
  type LockedRun,
  type LogLine,
  readOpenSteps,
  readOutputs,
  readStepsByKey,
  type StepRow,
} from '../runs/store.ts'
import { type Execution, record, runAfter } from './execution.ts'
import { planStepOf } from './plan.ts'
import { ownOutputs } from './run-outputs.ts'
import {
  type AttemptChange,
  type ChangedStep,
  moveThrough,
  outputsOf,
  type RunChange,
  stepAfter,
  unchanged,
  withEnd,
  withOpened,
} from './run-change.ts'
import type { Ending, EndStatus, NodeResult } from './schedule.ts'
import { isPlain } from './step-kind.ts'

/** How a step ends. */
export type StepEnd = {
  result: Exclude<NodeResult, 'expanded'>
  output?: Json | null
  error?: RunError
  note?: string
  /** The run ends with it, as a stop step says. */
  end?: EndStatus
}

/**
 * Records the end of a step with what follows from it at once: the beginning of the next step, or the end of the run.
 * The caller has the run locked and knows that the step is not over. Answers the event.
 */
export async function endStep(
  x: Execution,
  db: Db,
  run: LockedRun,
  key: string,
  step: StepRow,
  conclusion: StepEnd,
  lines: readonly LogLine[] = [],
  /** Steps that were read under the same lock. */
  known: readonly StepRow[] = [],
): Promise<RunEvent> {
  const now = x.parts.clock.now()
  const { result } = conclusion
  const ended = endedStep(step, conclusion, now)
  const attempts = step.status === 'running' && step.attempt > 0 ? [endedAttempt(ended, conclusion, now)] : []
  const change: RunChange = {
    ...unchanged(run),
    status: run.status === 'waiting' ? moveThrough(run.status, 'running') : run.status,
    steps: [ended],
    attempts,
    lines,
    current: ended,
  }
  const event = { key, result }
  const followed = await withFollowing(x, db, run, key, conclusion, change, known)
  await record(x, db, run, followed.change)
  remember(x, run, key, conclusion, followed.change)
  return { ...event, ...followed.event }
}

type Followed = { change: RunChange; event: { end?: EndStatus; over?: boolean } }

async function withFollowing(
  x: Execution,
  db: Db,
  run: LockedRun,
  key: string,
  conclusion: StepEnd,
  change: RunChange,
  known: readonly StepRow[],
): Promise<Followed> {
  const forced = forcedEnd(x, run, key, conclusion)
  const following = x.schedule.following(key, conclusion.result, forced)
  if (following.end !== undefined) {
    const ended = await endedRun(x, db, run, change, following.end, conclusion.error?.message)
    return { change: ended, event: { over: true } }
  }
  if (forced !== undefined) return { change, event: { end: forced } }
  const isHeld = x.host.isStopping() || x.parts.isReadOnly?.() === true
  const canOpen = change.status === 'running' && !x.isBrokenOff() && !isHeld
  if (following.open === undefined || !canOpen || !isPlain(x.plan, following.open))
    return { change, event: {} }
  const { open } = following
  const next = known.find((step) => step.key === open) ?? (await readStepsByKey(db, run.id, [open])).at(0)
  if (next?.status !== 'pending') return { change, event: {} }
  const work = planStepOf(x.plan, next.key)?.work
  const details = work?.kind === 'own' ? { input: work.definition.config } : {}
  return { change: withOpened(change, next, x.parts.clock.now(), details), event: {} }
}

/** How the run ends whatever comes after this step. */
function forcedEnd(
  x: Execution,
  run: LockedRun,
  key: string,
  { result, end }: StepEnd,
): EndStatus | undefined {
  if (end !== undefined) return end
  if (key.endsWith('!undo')) return undefined
  if (x.hasTimedOut()) return 'timed_out'
  if (run.status !== 'cancelling') return undefined
  return x.schedule.following(key, result).end?.status === 'completed' ? undefined : 'cancelled'
}

/** Ends the run in a change of it. */
export async function endedRun(
  x: Execution,
  db: Db,
  run: LockedRun,
  change: RunChange,
  { status, key }: Ending,
  message: string | undefined,
): Promise<RunChange> {
  const now = x.parts.clock.now()
  const isBuiltIn = status === 'completed' && x.plan.own === undefined
  const [open, recorded] = await Promise.all([
    readOpenSteps(db, run.id),
    isBuiltIn ? readOutputs(db, run.id) : [],
  ])
  const end = (to: EndStatus, why: string | undefined) =>
    withEnd(change, run, open, { status: to, message: why, stepKey: key === '' ? null : key }, now)
  if (status === 'failed') return end(status, message ?? 'The run failed.')
  if (status === 'timed_out')
    return end(status, 'The run did not end within the time that its workflow allows.')
  if (status === 'cancelled') return end(status, undefined)
  if (x.plan.own === undefined) return { ...end(status, undefined), output: builtInOutputs(recorded, change) }
  const outputs = await ownOutputs(db, run, x.plan.own, change)
  if ('error' in outputs) return end('failed', outputs.error)
  return { ...end(status, undefined), output: outputs.values }
}

function builtInOutputs(rows: Awaited<ReturnType<typeof readOutputs>>, change: RunChange): Json {
  const last = change.steps.flatMap(({ key, output }) => (output ? [{ key, output }] : []))
  return outputsOf([...rows, ...last])
}

function endedStep(step: StepRow, { result, output, error, note }: StepEnd, now: Date): ChangedStep {
  const status = result === 'stopped' ? 'succeeded' : result
  return {
    ...step,
    status: moveTo(step.status, status),
    ...(status === 'succeeded' || status === 'skipped' ? { progressPercent: 100 } : {}),
    ...(output === undefined ? {} : { output }),
    // What it waited for is over with it.
    ...(note === undefined && step.status !== 'waiting' ? {} : { note: note ?? '' }),
    nextAt: null,
    error: error ?? null,
    finishedAt: now,
  }
}

/** The end of a step, which may not have begun to execute. */
function moveTo(from: StepStatus, to: StepStatus): StepStatus {
  if (stepMoves[from].includes(to)) return moveStep(from, to)
  return from === 'ready' ? moveStep(from, 'running', to) : moveStep(from, 'ready', 'running', to)
}

function endedAttempt(step: ChangedStep, { result, error }: StepEnd, now: Date): AttemptChange {
  const status = result === 'stopped' || result === 'skipped' ? 'succeeded' : result
  return { stepRunId: step.id, attempt: step.attempt, status, at: now, error: error ?? null }
}

function remember(
  x: Execution,
  run: LockedRun,
  key: string,
  { result, output }: StepEnd,
  change: RunChange,
): void {
  x.percents.delete(key)
  if (x.plan.builtIn !== undefined && result === 'succeeded' && output) x.outputs.set(key, output)
  const opened = change.steps.find((each) => each.status === 'running')
  const step = opened && stepAfter(change, opened.key)
  if (step !== undefined) x.opened.set(step.key, { step, run: runAfter(run, change) })
}
