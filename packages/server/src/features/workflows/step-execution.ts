import { DrizzleQueryError } from 'drizzle-orm'

import type { Clock } from '../../platform/clock.ts'
import { EngineStopping, StepFailure } from '../../platform/engine/step-failure.ts'
import type { Log } from '../../platform/log.ts'
import type { RunFacts, StepContext, StepDefinition } from './definition.ts'
import { fitText } from './fit-text.ts'
import { retryWhileDatabaseUnavailable } from './database-retry.ts'
import type { Reporter } from './reporter.ts'
import type { StepRow } from './run-store.ts'
import { outputsOf, type StepOutcome } from './run-transitions.ts'

type Execution = {
  /** Undefined when this server does not know the step. */
  definition: StepDefinition | undefined
  run: RunFacts
  steps: readonly StepRow[]
  step: StepRow
  report: Reporter
  signal: AbortSignal
  clock: Clock
  log: Log
}

/** An error travels several times in one notification. */
const maxErrorBytes = 1_000

/** Executes a step and answers its outcome; `left` when it was broken off because the server stops. Never throws. */
export async function executeStep(execution: Execution): Promise<StepOutcome | 'left'> {
  const { definition, run, step, report, signal, clock, log } = execution
  const context: StepContext = {
    run,
    attempt: step.attempt,
    outputs: outputsOf(execution.steps),
    signal,
    log: (message, level = 'info') => report.log(message, level),
    progress: (percent) => report.progress(percent),
    sleep: (durationMs) => sleep(clock, durationMs, signal),
  }
  try {
    if (definition === undefined) throw new StepFailure('This server does not know this step any more.')
    // A step may be executed twice, and the database be unavailable when it asks it something.
    const output = await retryWhileDatabaseUnavailable(clock, () => {
      signal.throwIfAborted()
      return definition.execute(context)
    })
    return { status: 'succeeded', output: output ?? null }
  } catch (error) {
    if (signal.reason instanceof EngineStopping) return 'left'
    if (signal.aborted) return { status: 'cancelled' }
    log[error instanceof StepFailure ? 'warn' : 'error'](
      { err: error, runId: run.id, step: step.key },
      'A step failed',
    )
    return { status: 'failed', message: errorMessage(error) }
  }
}

/** What people read of a failure. A statement and its parameters are for the log of the server. */
function errorMessage(error: unknown): string {
  if (error instanceof DrizzleQueryError) {
    return 'Unexpected error: the database refused a statement; the log of the server says which and why.'
  }
  const message = error instanceof Error ? error.message : String(error)
  return fitText(error instanceof StepFailure ? message : `Unexpected error: ${message}`, maxErrorBytes)
}

function sleep(clock: Clock, durationMs: number, signal: AbortSignal): Promise<void> {
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
