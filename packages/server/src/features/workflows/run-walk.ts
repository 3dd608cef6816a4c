import { DrizzleQueryError } from 'drizzle-orm'
import type { RunStatus } from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import { StepFailure } from '../../platform/engine/step-failure.ts'
import type { Json, RunFacts, WorkflowDefinition } from './definition.ts'
import { fitText } from './fit-text.ts'
import { moveRun, moveStep } from './moves.ts'
import type { StepRow } from './run-store.ts'

// What can be said of a run and its steps without asking the database.

/** What a step came to. */
export type Outcome =
  | { status: 'succeeded'; output: Json | null }
  | { status: 'failed'; message: string }
  | { status: 'cancelled' }

/** An error travels several times in one notification. */
const maxErrorBytes = 1_000

export const emptyDefinition: WorkflowDefinition = {
  key: '',
  name: '',
  description: '',
  type: 'custom',
  steps: [],
}

/** Marks a step as under way in the copy that is kept of it. */
export function open(step: StepRow): void {
  step.status = moveStep(step.status, 'ready', 'running')
  step.attempt = 1
}

export function outputsOf(steps: readonly StepRow[]): Record<string, Json> {
  return Object.fromEntries(steps.flatMap((each) => (each.output === null ? [] : [[each.key, each.output]])))
}

export function isLast(mine: { steps: readonly StepRow[] }, step: StepRow): boolean {
  return mine.steps.at(-1)?.id === step.id
}

export function finalStatus(from: RunStatus, outcome: Outcome): RunStatus {
  const to = outcome.status === 'succeeded' ? 'completed' : outcome.status
  if (from === 'queued') return to === 'cancelled' ? moveRun(from, to) : moveRun(from, 'running', to)
  if (to === 'cancelled' && from === 'running') return moveRun(from, 'cancelling', 'cancelled')
  return moveRun(from, to)
}

export function moveOf(
  run: RunFacts,
  status: RunStatus,
  step: StepRow | undefined,
  steps: readonly StepRow[],
) {
  return {
    run,
    status,
    stepKey: step?.key ?? null,
    stepName: step?.name ?? null,
    progressPercent: status === 'completed' ? 100 : progressOf(steps),
    error: null,
    cancelledBy: null,
  }
}

/** The mean of the steps' own progress. */
export function progressOf(steps: readonly StepRow[]): number {
  if (steps.length === 0) return 0
  return Math.round(steps.reduce((sum, step) => sum + step.progressPercent, 0) / steps.length)
}

/** What people read of a failure. A statement and its parameters are for the log of the server. */
export function wordsOf(error: unknown): string {
  if (error instanceof DrizzleQueryError) {
    return 'Unexpected error: the database refused a statement; the log of the server says which and why.'
  }
  const message = error instanceof Error ? error.message : String(error)
  return fitText(error instanceof StepFailure ? message : `Unexpected error: ${message}`, maxErrorBytes)
}

export function sleep(clock: Clock, durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const cancel = clock.setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, durationMs)
    const onAbort = () => {
      cancel()
      reject(signal.reason instanceof Error ? signal.reason : new Error('Cancelled'))
    }
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
