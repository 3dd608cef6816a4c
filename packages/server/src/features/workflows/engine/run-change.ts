import { type RunStatus, runMoves, type StepStatus } from '@bey/contract'

import type { RunError, RunWaiting } from '../../../tables/workflow-runs.ts'
import type { Json } from '../definition/definition.ts'
import { moveRun, moveStep } from '../moves.ts'
import type { LockedRun, LogLine, StepRow } from '../runs/store.ts'
import type { EndStatus } from './schedule.ts'

// Which change follows from what is recorded of a run. No function here writes anything or remembers anything.

/** A step as it is to be recorded; what is left out stays as it is. */
export type ChangedStep = StepRow & {
  error: RunError | null
  startedAt?: Date
  finishedAt?: Date
  input?: Json
  output?: Json | null
  note?: string
  concurrencyKey?: string
}

export type AttemptChange = {
  stepRunId: string
  attempt: number
  status: 'running' | 'succeeded' | 'failed' | 'timed_out' | 'cancelled' | 'interrupted'
  at: Date
  error: RunError | null
}

/** Everything that one transaction records of a run. */
export type RunChange = {
  status: RunStatus
  executorId: string | null
  recoveryCount: number
  startedAt?: Date
  deadlineAt?: Date
  finishedAt?: Date
  output?: Json
  error?: RunError
  /** What it waits for; kept while it waits on. */
  waiting?: RunWaiting
  /** The steps that change, in their order. */
  steps: ChangedStep[]
  attempts: AttemptChange[]
  lines: readonly LogLine[]
  /** The step that is under way now or was the last one. */
  current: StepRow | undefined
}

export function unchanged(run: LockedRun): RunChange {
  const { status, executorId, recoveryCount } = run
  return { status, executorId, recoveryCount, steps: [], attempts: [], lines: [], current: undefined }
}

/** The status after a move that may lead over `running`. */
export function moveThrough(from: RunStatus, to: RunStatus): RunStatus {
  if (from === to) return to
  return runMoves[from].includes(to) ? moveRun(from, to) : moveRun(from, 'running', to)
}

/** A queued run begins; `first` begins with it where it is known already. */
export function beginRun(
  run: LockedRun,
  executorId: string,
  first: StepRow | undefined,
  timeoutMs: number | undefined,
  now: Date,
): RunChange {
  const change = { ...unchanged(run), status: moveRun(run.status, 'running'), executorId, startedAt: now }
  const deadline = timeoutMs === undefined ? {} : { deadlineAt: new Date(now.getTime() + timeoutMs) }
  return { ...(first === undefined ? change : withOpened(change, first, now)), ...deadline }
}

/**
 * A run that was interrupted is taken over: each step under way begins again as its next attempt, or, where nobody knows
 * whether it happened and it must not happen twice, waits for a person. Of a run that is to end, only what undoes a step
 * begins again; the other steps stay as they are, to be cancelled.
 */
export function takeOverRun(
  run: LockedRun,
  executorId: string,
  running: readonly StepRow[],
  mustAsk: (step: StepRow) => boolean,
  now: Date,
): RunChange {
  const change = { ...unchanged(run), executorId, recoveryCount: run.recoveryCount + 1 }
  const steps: ChangedStep[] = []
  const attempts: AttemptChange[] = []
  const lines: LogLine[] = []
  const isEnding = run.status === 'cancelling'
  for (const step of running) {
    if (isEnding && !step.key.endsWith('!undo')) continue
    attempts.push({ stepRunId: step.id, attempt: step.attempt, status: 'interrupted', at: now, error: null })
    if (mustAsk(step) && !isEnding) {
      const note = 'Its process died while it was under way: it is not known whether it happened.'
      steps.push({ ...step, status: moveStep(step.status, 'uncertain'), error: null, note })
      lines.push(lineOf(step, 'warning', note, now))
      continue
    }
    const attempt = step.attempt + 1
    const next = { ...step, attempt, error: null }
    steps.push(next)
    attempts.push({ stepRunId: step.id, attempt, status: 'running', at: now, error: null })
    const message = `The step was interrupted; attempt ${attempt} goes on from here.`
    lines.push(lineOf(next, 'warning', message, now))
  }
  const uncertain = steps.find((step) => step.status === 'uncertain')
  if (uncertain === undefined) return { ...change, steps, attempts, lines, current: steps[0] }
  const text = `Waits for a person to say whether "${uncertain.name}" happened.`
  const waiting = { kind: 'uncertain', text, until: null }
  const status = moveThrough(run.status, 'needs_attention')
  return { ...change, status, waiting, steps, attempts, lines, current: uncertain }
}

/** Adds the beginning of a step to a change. */
export function withOpened(
  change: RunChange,
  step: StepRow,
  now: Date,
  details: Pick<ChangedStep, 'input' | 'concurrencyKey'> = {},
): RunChange {
  const opened: ChangedStep = {
    ...step,
    ...details,
    status:
      step.status === 'ready' ? moveStep('ready', 'running') : moveStep(step.status, 'ready', 'running'),
    attempt: step.attempt + 1,
    nextAt: null,
    error: null,
    note: '',
    ...(step.attempt === 0 ? { startedAt: now } : {}),
  }
  const attempt: AttemptChange = {
    stepRunId: step.id,
    attempt: opened.attempt,
    status: 'running',
    at: now,
    error: null,
  }
  return {
    ...change,
    steps: [...change.steps, opened],
    attempts: [...change.attempts, attempt],
    current: opened,
  }
}

/** Ends a run; the steps that are not over are closed with it, those behind a failure as skipped. */
export function withEnd(
  change: RunChange,
  run: LockedRun,
  open: readonly StepRow[],
  end: { status: EndStatus; message?: string | undefined; stepKey: string | null },
  now: Date,
): RunChange {
  const isCancelled = end.status === 'cancelled'
  const closed = open
    .filter((step) => !isStepOver(step.status) && !change.steps.some((each) => each.id === step.id))
    .map((step): ChangedStep => {
      const status = moveStep(step.status, closingStatus(step.status, isCancelled))
      const note = status === 'skipped' ? { note: beforeIt(end) } : {}
      return { ...step, ...note, status, error: null, finishedAt: now }
    })
  const attempts = closed
    .filter((step) => step.attempt > 0)
    .map((step): AttemptChange => ({
      stepRunId: step.id,
      attempt: step.attempt,
      status: step.status === 'failed' ? 'failed' : 'cancelled',
      at: now,
      error: null,
    }))
  const current = change.current ?? closed[0]
  const { message } = end
  return {
    ...change,
    status: endStatus(run.status, end.status),
    finishedAt: now,
    ...(message === undefined ? {} : { error: { message, stepKey: end.stepKey ?? current?.key ?? null } }),
    steps: [...change.steps, ...closed],
    attempts: [...change.attempts, ...attempts],
    current,
  }
}

/** Why a step that had not begun never will. */
function beforeIt({ status, stepKey }: { status: EndStatus; stepKey: string | null }): string {
  if (status === 'timed_out') return 'The run timed out before it.'
  if (status === 'completed') return 'The run was ended before it.'
  return stepKey === null ? 'The run failed before it.' : `The run failed at "${stepKey}".`
}

function closingStatus(from: StepStatus, isCancelled: boolean): StepStatus {
  if (from === 'running') return isCancelled ? 'cancelled' : 'failed'
  return from === 'pending' && !isCancelled ? 'skipped' : 'cancelled'
}

function endStatus(from: RunStatus, to: EndStatus): RunStatus {
  if (from === 'queued' && to === 'cancelled') return moveRun(from, to)
  if (from === 'cancelling' && to === 'timed_out') return moveRun(from, 'cancelled')
  if (to === 'cancelled' && from !== 'cancelling') return moveThrough(moveThrough(from, 'cancelling'), to)
  return moveThrough(from, to)
}

/** A step as it is after a change. */
export function stepAfter(change: RunChange, key: string): StepRow | undefined {
  return change.steps.find((each) => each.key === key)
}

export function isStepOver(status: StepStatus): boolean {
  return ['succeeded', 'failed', 'timed_out', 'skipped', 'cancelled'].includes(status)
}

/** What the steps gave back, by their keys. */
export function outputsOf(steps: readonly { key: string; output: Json | null }[]): Record<string, Json> {
  return Object.fromEntries(steps.flatMap((each) => (each.output === null ? [] : [[each.key, each.output]])))
}

export function lineOf(step: StepRow, level: LogLine['level'], message: string, at: Date): LogLine {
  const { id: stepRunId, key: stepKey, name: stepName, attempt } = step
  return { stepRunId, stepKey, stepName, attempt: Math.max(1, attempt), at, level, message }
}

/** A run that waited goes on. */
export function resumed(run: LockedRun): RunChange {
  const status = run.status === 'waiting' ? moveThrough(run.status, 'running') : run.status
  return { ...unchanged(run), status }
}
