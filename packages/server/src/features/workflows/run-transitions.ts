import type { RunStatus, StepStatus } from '@bey/contract'

import type { RunError } from '../../tables/workflow-runs.ts'
import type { Json } from './definition.ts'
import { moveRun, moveStep } from './moves.ts'
import type { LockedRun, LogLine, StepRow } from './run-store.ts'

// Which change follows from what is recorded of a run. No function here writes anything or remembers anything.

/** A run and its steps as they are recorded; the caller holds the lock of the run's row. */
export type RunState = { run: LockedRun; steps: readonly StepRow[] }

/** The result of a step. */
export type StepOutcome =
  | { status: 'succeeded'; output: Json | null }
  | { status: 'failed'; message: string }
  | { status: 'cancelled' }

/** A step as it is to be recorded. */
export type ChangedStep = StepRow & { error: RunError | null; startedAt?: Date; finishedAt?: Date }

/** Everything that one transaction records of a run. */
export type RunChange = {
  status: RunStatus
  executorId: string | null
  recoveryCount: number
  startedAt?: Date
  finishedAt?: Date
  output?: Json
  error?: RunError
  /** The steps that change, in their order. */
  steps: ChangedStep[]
  lines: readonly LogLine[]
  /** The step that is under way now or was the last one. */
  current: StepRow | undefined
}

/** A queued run begins with its first step that an earlier run has not done for it. */
export function beginRun({ run, steps }: RunState, executorId: string, now: Date): RunChange {
  const status = moveRun(run.status, 'running')
  const next = steps.find((each) => each.status !== 'succeeded')
  const first = next === undefined ? undefined : openStep(next, now)
  const changed = first === undefined ? [] : [first]
  return { ...unchanged(run), status, executorId, startedAt: now, steps: changed, current: first }
}

/** A run that was interrupted is taken over: the step under way begins again as its next attempt. */
export function resumeRun({ run, steps }: RunState, executorId: string, now: Date): RunChange {
  const change = { ...unchanged(run), executorId, recoveryCount: run.recoveryCount + 1 }
  const step = steps.find((each) => each.status !== 'succeeded')
  if (step?.status !== 'running') return { ...change, steps: [], current: step }
  const attempt = step.attempt + 1
  const message = `The step was interrupted; attempt ${attempt} goes on from here.`
  return {
    ...change,
    steps: [{ ...step, attempt, error: null }],
    lines: [lineOf({ ...step, attempt }, 'warning', message, now)],
    current: step,
  }
}

/** The step that is next begins although the end of the one before did not open it. */
export function openNextStep({ run }: RunState, step: StepRow, now: Date): RunChange {
  const opened = openStep(step, now)
  return { ...unchanged(run), steps: [opened], current: opened }
}

/** A step ended: the next one begins, or the run ends with it. */
export function endStep(
  state: RunState,
  step: StepRow,
  outcome: StepOutcome,
  lines: readonly LogLine[],
  now: Date,
): RunChange {
  const { run, steps } = state
  const ended: ChangedStep = {
    ...step,
    status: moveStep(step.status, outcome.status),
    ...(outcome.status === 'succeeded' ? { progressPercent: 100, output: outcome.output } : {}),
    error: outcome.status === 'failed' ? { message: outcome.message } : null,
    finishedAt: now,
  }
  const next = steps[steps.indexOf(step) + 1]
  const end = (final: StepOutcome) => endRun(replaced(state, ended), final, now, { ended, lines })
  if (outcome.status !== 'succeeded' || next === undefined) return end(outcome)
  if (run.status === 'cancelling') return end({ status: 'cancelled' })
  const opened = openStep(next, now)
  return { ...unchanged(run), steps: [ended, opened], lines, current: opened }
}

/** Ends a run; the steps that were not reached are skipped or cancelled. */
export function endRun(
  { run, steps }: RunState,
  outcome: StepOutcome,
  now: Date,
  last?: { ended: ChangedStep; lines: readonly LogLine[] },
): RunChange {
  const status = finalStatus(run.status, outcome)
  const rest = steps.filter((each) => !isStepOver(each.status))
  const closed = rest.map((each): ChangedStep => {
    const isFailing = outcome.status === 'failed'
    const to = isFailing ? (each.status === 'running' ? 'failed' : 'skipped') : 'cancelled'
    return { ...each, status: moveStep(each.status, to), error: null, finishedAt: now }
  })
  const current = last?.ended ?? closed[0]
  return {
    ...unchanged(run),
    status,
    finishedAt: now,
    ...(status === 'completed' ? { output: outputsOf(steps) } : {}),
    ...(outcome.status === 'failed'
      ? { error: { message: outcome.message, stepKey: current?.key ?? null } }
      : {}),
    steps: last === undefined ? closed : [last.ended, ...closed],
    lines: last?.lines ?? [],
    current,
  }
}

/** What is recorded after a change. */
export function stateAfter({ run, steps }: RunState, change: RunChange): RunState {
  const { status, executorId, recoveryCount } = change
  return {
    run: { ...run, status, executorId, recoveryCount, logCount: run.logCount + change.lines.length },
    steps: steps.map((step) => change.steps.find((each) => each.id === step.id) ?? step),
  }
}

export function isStepOver(status: StepStatus): boolean {
  return ['succeeded', 'failed', 'timed_out', 'skipped', 'cancelled'].includes(status)
}

/** What the steps gave back, by their keys. */
export function outputsOf(steps: readonly StepRow[]): Record<string, Json> {
  return Object.fromEntries(steps.flatMap((each) => (each.output === null ? [] : [[each.key, each.output]])))
}

/** The mean of the steps' own progress. */
export function progressOf(steps: readonly StepRow[]): number {
  if (steps.length === 0) return 0
  return Math.round(steps.reduce((sum, step) => sum + step.progressPercent, 0) / steps.length)
}

function unchanged(run: LockedRun): RunChange {
  const { status, executorId, recoveryCount } = run
  return { status, executorId, recoveryCount, steps: [], lines: [], current: undefined }
}

function openStep(step: StepRow, now: Date): ChangedStep {
  return {
    ...step,
    status: moveStep(step.status, 'ready', 'running'),
    attempt: 1,
    error: null,
    startedAt: now,
  }
}

function replaced({ run, steps }: RunState, step: StepRow): RunState {
  return { run, steps: steps.map((each) => (each.id === step.id ? step : each)) }
}

function finalStatus(from: RunStatus, outcome: StepOutcome): RunStatus {
  const to = outcome.status === 'succeeded' ? 'completed' : outcome.status
  if (from === 'queued' && to !== 'cancelled') return moveRun(from, 'running', to)
  return moveRun(from, to)
}

function lineOf(step: StepRow, level: LogLine['level'], message: string, at: Date): LogLine {
  const { id: stepRunId, key: stepKey, name: stepName, attempt } = step
  return { stepRunId, stepKey, stepName, attempt, at, level, message }
}
