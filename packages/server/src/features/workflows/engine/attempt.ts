import { inspect } from 'node:util'
import { type RetryReason, workflowLimits } from '@bey/contract'
import { DrizzleQueryError } from 'drizzle-orm'

import type { Clock } from '../../../platform/clock.ts'
import { EngineStopping, StepFailure } from '../../../platform/engine/step-failure.ts'
import type { Log } from '../../../platform/log.ts'
import type { Json, RunFacts, StepContext } from '../definition/definition.ts'
import type { StepRow } from '../runs/store.ts'
import { type Mask, maskJson } from '../../../platform/masking/mask.ts'
import { retryWhileDatabaseUnavailable } from './database-retry.ts'
import { fitText } from './fit-text.ts'
import type { Reporter } from './reporter.ts'

/** The result of one attempt of a step. */
export type Outcome =
  | { status: 'succeeded'; output: Json | null }
  | { status: 'failed' | 'timed_out'; message: string; reason: RetryReason }
  | { status: 'cancelled' }

export type Attempt = {
  execute(context: StepContext): Promise<Json | undefined>
  run: RunFacts
  step: StepRow
  outputs: Readonly<Record<string, Json>>
  report: Reporter
  /** Ends the attempt early: a cancel, the deadline of the run, or the end of the process. */
  signal: AbortSignal
  timeoutMs: number | undefined
  /** Whether the run is still this process's, asked before the step is executed again. */
  isHeld(): Promise<boolean>
  /** Resolves when nothing waits for the attempt any more, such as after a forced cancel. */
  givenUp: Promise<void>
  /** Takes secrets out of what is recorded. */
  mask: Mask
  clock: Clock
  log: Log
}

/** How long an attempt whose time is up may take to end by itself before it is given up. */
const giveUpAfterMs = 5_000
/** An error travels several times in one notification. */
const maxErrorBytes = 1_000

class AttemptTimedOut extends Error {}
class RunHandedOn extends Error {}

/**
 * Executes a step and answers its outcome; `left` when it was broken off because the server stops, `lost` when another
 * process took the run over before the step could be executed. Never throws.
 */
export async function executeAttempt(attempt: Attempt): Promise<Outcome | 'left' | 'lost'> {
  const { timeoutMs, clock } = attempt
  const timer = new AbortController()
  const signal = AbortSignal.any([attempt.signal, timer.signal])
  const gaveUp = Promise.withResolvers<Outcome>()
  const stopTimers: (() => void)[] = []
  void attempt.givenUp.then(() => gaveUp.resolve({ status: 'cancelled' }))
  if (timeoutMs !== undefined) {
    const message = `The step did not end within ${timeText(timeoutMs)}.`
    const outcome: Outcome = { status: 'timed_out', message, reason: 'timeout' }
    const stop = clock.setTimeout(() => {
      timer.abort(new AttemptTimedOut(message))
      const giveUp = () => {
        attempt.report.log(
          'The step ignored that its time is up and was given up; it may still do something.',
          'warning',
        )
        gaveUp.resolve(outcome)
      }
      stopTimers.push(clock.setTimeout(giveUp, giveUpAfterMs))
    }, timeoutMs)
    stopTimers.push(stop)
  }
  try {
    return await Promise.race([executeTo(attempt, signal), gaveUp.promise])
  } finally {
    for (const stop of stopTimers) stop()
  }
}

async function executeTo(attempt: Attempt, signal: AbortSignal): Promise<Outcome | 'left' | 'lost'> {
  const { run, step, report, clock, log } = attempt
  const context: StepContext = {
    run,
    attempt: step.attempt,
    outputs: attempt.outputs,
    signal,
    log: (message, level = 'info') => report.log(message, level),
    progress: (percent) => report.progress(percent),
    sleep: (durationMs) => sleep(clock, durationMs, signal),
  }
  try {
    // A step may be executed twice, and the database be unavailable when it asks it something.
    const output = await retryWhileDatabaseUnavailable(clock, async (isRepeated) => {
      signal.throwIfAborted()
      // While the database was away another process may have taken the run over, and somebody have had the step repeated.
      if (isRepeated && !(await attempt.isHeld())) throw new RunHandedOn()
      return attempt.execute(context)
    })
    return outputOutcome(output, attempt)
  } catch (error) {
    if (error instanceof RunHandedOn) return 'lost'
    if (attempt.signal.reason instanceof EngineStopping) return 'left'
    if (attempt.signal.aborted) return { status: 'cancelled' }
    // Masked before it is cut, which could leave a part of a value.
    const shown = attempt.mask(errorMessage(signal.reason instanceof AttemptTimedOut ? signal.reason : error))
    const message = fitText(shown, maxErrorBytes)
    if (signal.aborted) return { status: 'timed_out', message, reason: 'timeout' }
    const level = error instanceof StepFailure ? 'warn' : 'error'
    // As text, and masked: an error may name a value that its step was given.
    const stack = error instanceof StepFailure ? undefined : attempt.mask(inspect(error))
    log[level]({ reason: message, stack, runId: run.id, step: step.key }, 'A step failed')
    return failure(error, message)
  }
}

/** The failure that an error represents. */
export function failure(error: unknown, message = fitText(errorMessage(error), maxErrorBytes)): Outcome {
  return { status: 'failed', message, reason: error instanceof StepFailure ? error.reason : 'error' }
}

function outputOutcome(output: Json | undefined, { mask }: Attempt): Outcome {
  if (output === undefined) return { status: 'succeeded', output: null }
  const bytes = Buffer.byteLength(JSON.stringify(output))
  if (bytes > workflowLimits.payloadBytes) {
    const message = `The output of the step has ${bytes} bytes; at most ${workflowLimits.payloadBytes} are kept. Give back less, for example a reference to where the data is.`
    return { status: 'failed', message, reason: 'error' }
  }
  return { status: 'succeeded', output: maskJson(output, mask) }
}

/** What people read of a failure. A statement and its parameters are for the log of the server. */
function errorMessage(error: unknown): string {
  if (error instanceof DrizzleQueryError) {
    return 'Unexpected error: the database refused a statement; the log of the server says which and why.'
  }
  const message = error instanceof Error ? error.message : String(error)
  const isForPeople = error instanceof StepFailure || error instanceof AttemptTimedOut
  return isForPeople ? message : `Unexpected error: ${message}`
}

/** A duration in words. */
function timeText(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  if (ms < 120_000) return `${Math.round(ms / 100) / 10} s`
  return ms < 7_200_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 360_000) / 10} h`
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
