import type { StepAttempt, StepRun } from '@bey/contract'
import type { RunDetail } from '../../../data/workflows.ts'
import { expectedSpans, isStepOver, timeLeft } from '../expected-times.ts'
import type { Span } from '../expected-times.ts'
import { ticksOf } from './ticks.ts'
import type { Tick } from './ticks.ts'

/**
 * A piece of a bar. `work` took its time, `over` is the part beyond the usual (90th percentile), `expected` is to come;
 * `waiting` waits for time, an event or a person, `retry_wait` for the next attempt.
 */
export interface GanttPiece extends Span {
  kind: 'work' | 'over' | 'failed' | 'running' | 'waiting' | 'retry_wait' | 'expected'
}

export interface GanttAttempt {
  attempt: number
  pieces: readonly GanttPiece[]
  /** "failed after 12 s: 503". */
  text: string
  isFailed: boolean
}

export interface GanttRow {
  step: StepRun
  pieces: readonly GanttPiece[]
  /** Where other processes took it over. */
  changes: readonly number[]
  /** The usual time from where it began or will begin: the median, and the 90th percentile. */
  usual: { from: number; medianTo: number; p90To: number } | undefined
  tookMs: number | undefined
  usualMs: number | undefined
  /** Took longer than nine of ten earlier runs. */
  isSlow: boolean
  attempts: readonly GanttAttempt[]
}

export interface Gantt {
  /** When the run began: ticks count from there. */
  origin: number
  /** What is shown of it. */
  start: number
  end: number
  ticks: readonly Tick[]
  /** Undefined once the run is over. */
  now: number | undefined
  /** When the run will probably end. */
  expectedEnd: number | undefined
  rows: readonly GanttRow[]
}

/** A run as bars along time. `now` in milliseconds since 1970. */
export function ganttOf(detail: RunDetail, now: number): Gantt {
  const { run, steps, usual } = detail
  const isOver = run.finishedAt !== null
  const until = run.finishedAt ? Date.parse(run.finishedAt) : now
  const expected = isOver ? new Map<string, Span>() : expectedSpans(detail, now)
  const left = isOver ? undefined : timeLeft(detail, now)
  const expectedEnd = left?.kind === 'left' ? left.endsAt : undefined
  const attempts = attemptsByStep(detail)
  const rows = steps.map((step) =>
    rowOf(step, attempts.get(step.key) ?? [], usual[step.key], expected.get(step.key), until),
  )
  const start = startOf(detail, until)
  const last = rows.flatMap(({ pieces }) => pieces.map(({ to }) => to))
  const end = last.reduce((latest, to) => Math.max(latest, to), Math.max(until, start + 1_000))
  return {
    origin: start,
    start,
    end,
    ticks: ticksOf(0, end - start),
    now: isOver ? undefined : now,
    expectedEnd,
    rows,
  }
}

// A retry keeps steps of an earlier run with their times: those lie before it began, and are not drawn.
function startOf({ run }: RunDetail, until: number): number {
  const began = Date.parse(run.startedAt ?? run.queuedAt)
  return Math.min(began, until)
}

function attemptsByStep({ attempts }: RunDetail): Map<string, StepAttempt[]> {
  const byStep = new Map<string, StepAttempt[]>()
  for (const attempt of attempts) {
    const list = byStep.get(attempt.stepKey)
    if (list) list.push(attempt)
    else byStep.set(attempt.stepKey, [attempt])
  }
  return byStep
}

function rowOf(
  step: StepRun,
  attempts: readonly StepAttempt[],
  usual: { medianMs: number; p90Ms: number } | undefined,
  expected: Span | undefined,
  until: number,
): GanttRow {
  const from = step.startedAt ? Date.parse(step.startedAt) : undefined
  const lost = step.status === 'uncertain' ? attempts.at(-1)?.finishedAt : undefined
  const ended = step.finishedAt ?? lost
  const to = ended ? Date.parse(ended) : until
  const pieces = from === undefined ? [] : [...piecesOf(step, attempts, usual, { from, to })]
  // How long a person takes to decide is not drawn as if it were known.
  if (expected && (from === undefined || (step.status === 'running' && expected.to > until)))
    pieces.push({
      kind: 'expected',
      from: Math.max(expected.from, from === undefined ? 0 : until),
      to: expected.to,
    })
  const begin = from ?? expected?.from
  const tookMs = from === undefined || step.status === 'skipped' ? undefined : to - from
  return {
    step,
    pieces,
    changes: changesOf(attempts),
    usual:
      usual && begin !== undefined && step.status !== 'skipped'
        ? { from: begin, medianTo: begin + usual.medianMs, p90To: begin + usual.p90Ms }
        : undefined,
    tookMs,
    usualMs: usual?.medianMs,
    isSlow: usual !== undefined && tookMs !== undefined && tookMs > usual.p90Ms && tookMs > 1_000,
    attempts: attempts.map((attempt) => attemptOf(attempt, until)),
  }
}

function* piecesOf(
  step: StepRun,
  attempts: readonly StepAttempt[],
  usual: { p90Ms: number } | undefined,
  whole: Span,
): Generator<GanttPiece> {
  if (attempts.length > 0) {
    for (const [index, attempt] of attempts.entries()) {
      const own = spanOfAttempt(attempt, whole.to)
      yield { kind: kindOfAttempt(attempt), ...own }
      const next = attempts[index + 1]
      const begin = next ? Date.parse(next.startedAt) : step.status === 'retry_wait' ? whole.to : undefined
      if (begin !== undefined && begin > own.to && attempt.status !== 'interrupted')
        yield { kind: 'retry_wait', from: own.to, to: begin }
    }
    return
  }
  const kind = kindOf(step)
  const slowFrom = usual && kind === 'work' ? whole.from + usual.p90Ms : undefined
  if (slowFrom !== undefined && slowFrom < whole.to && whole.to - whole.from > 1_000) {
    yield { kind, from: whole.from, to: slowFrom }
    yield { kind: 'over', from: slowFrom, to: whole.to }
  } else yield { kind, ...whole }
}

const waits: ReadonlySet<string> = new Set(['wait', 'wait_event', 'approval'])

function kindOf({ status, type }: StepRun): GanttPiece['kind'] {
  if (status === 'failed' || status === 'timed_out') return 'failed'
  if (status === 'retry_wait') return 'retry_wait'
  if (status === 'waiting' || waits.has(type)) return 'waiting'
  return isStepOver({ status }) ? 'work' : 'running'
}

function kindOfAttempt({ status }: StepAttempt): GanttPiece['kind'] {
  if (status === 'failed' || status === 'timed_out') return 'failed'
  return status === 'running' ? 'running' : 'work'
}

function spanOfAttempt({ startedAt, finishedAt }: StepAttempt, until: number): Span {
  const from = Date.parse(startedAt)
  return { from, to: Math.max(from, finishedAt ? Date.parse(finishedAt) : until) }
}

/** Where an attempt began after the one before had lost its process. */
function changesOf(attempts: readonly StepAttempt[]): number[] {
  return attempts.flatMap(({ startedAt }, index) =>
    attempts[index - 1]?.status === 'interrupted' ? [Date.parse(startedAt)] : [],
  )
}

function attemptOf(attempt: StepAttempt, until: number): GanttAttempt {
  const span = spanOfAttempt(attempt, until)
  const isFailed = attempt.status === 'failed' || attempt.status === 'timed_out'
  return {
    attempt: attempt.attempt,
    pieces: [{ kind: kindOfAttempt(attempt), ...span }],
    text: [attempt.status.replaceAll('_', ' '), attempt.error?.message].filter(Boolean).join(': '),
    isFailed,
  }
}
