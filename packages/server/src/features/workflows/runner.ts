import type { RunStatus } from '@bey/contract'
import { isRunOver } from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Interpreter, RunRef } from '../../platform/engine/engine.ts'
import { EngineStopping, StepFailure } from '../../platform/engine/step-failure.ts'
import type { Log } from '../../platform/log.ts'
import type { Json, RunFacts, StepContext, StepDefinition, WorkflowDefinition } from './definition.ts'
import { fitText } from './fit-text.ts'
import { moveRun, moveStep } from './moves.ts'
import { patiently } from './patience.ts'
import { reportStep } from './reporter.ts'
import type { RunEvents } from './run-events.ts'
import {
  holdRun,
  insertLogs,
  lockRun,
  type LogLine,
  noteLastRun,
  readSteps,
  type StepRow,
  updateRun,
  updateStep,
  updateSteps,
  userName,
} from './run-store.ts'

type Options = {
  database: Database
  definitions: ReadonlyMap<string, WorkflowDefinition>
  events: RunEvents
  clock: Clock
  log: Log
  executorId: string
}

/** A run that this process executes, as far as it is known here. */
type Held = { run: RunFacts; definition: WorkflowDefinition; steps: StepRow[] }

type Outcome =
  | { status: 'succeeded'; output: Json | null }
  | { status: 'failed'; message: string }
  | { status: 'cancelled' }

const maxRecoveries = 100
/** An error travels several times in one notification. */
const maxErrorBytes = 1_000

/** Executes the steps of runs for the engine and records each move with its events in one transaction. */
export function createRunner(options: Options): Interpreter {
  const { database, definitions, events, clock, log, executorId } = options
  const held = new Map<string, Held>()

  /** Repeated while the database is away. */
  function inTenant<T>(ref: RunRef, work: (db: Db, isRepeated: boolean) => Promise<T>): Promise<T> {
    return patiently(clock, (isRepeated) =>
      database.withTenant(ref.organizationId, (db) => work(db, isRepeated)),
    )
  }

  async function begin(ref: RunRef): Promise<readonly string[]> {
    const taken = await inTenant(ref, (db) => take(db, ref))
    if (taken === undefined) return []
    held.set(ref.runId, taken)
    return taken.steps.map((step) => step.key)
  }

  async function take(db: Db, ref: RunRef): Promise<Held | undefined> {
    const run = await lockRun(db, ref.runId)
    if (run === undefined || isRunOver(run.status)) return undefined
    const steps = await readSteps(db, run.id)
    const definition = definitions.get(run.workflowKey)
    const now = clock.now()
    if (definition === undefined) {
      await close(db, { run, definition: emptyDefinition, steps }, run.status, {
        status: 'failed',
        message: `This server knows no workflow "${run.workflowKey}".`,
      })
      return undefined
    }
    const mine = { run, definition, steps }
    const first = steps.find((step) => step.status !== 'succeeded')
    if (run.status === 'queued') {
      await updateRun(db, run.id, { status: moveRun('queued', 'running'), startedAt: now, executorId })
      await noteLastRun(db, run.workflowId, run.id, 'running')
      await events.runMoved(db, run, 'running', 0)
      if (first !== undefined) await openStep(db, mine, first)
      return mine
    }
    // It was executed before, here or by a process that is gone.
    await updateRun(db, run.id, { executorId, recoveryCount: run.recoveryCount + 1 })
    if (run.status === 'cancelling') {
      await close(db, mine, run.status, { status: 'cancelled' })
      return undefined
    }
    if (run.recoveryCount >= maxRecoveries) {
      const message = `The run was taken over ${maxRecoveries} times and never came further.`
      await close(db, mine, run.status, { status: 'failed', message })
      return undefined
    }
    if (first !== undefined) await resumeStep(db, mine, first, run.logCount + 1)
    return mine
  }

  async function openStep(db: Db, { run, definition, steps }: Held, step: StepRow): Promise<void> {
    step.status = moveStep(step.status, 'ready', 'running')
    step.attempt = 1
    await Promise.all([
      updateStep(db, step.id, { status: 'running', attempt: 1, startedAt: clock.now() }),
      events.stepMoved(db, run, step),
      definition.onMove?.(db, moveOf(run, 'running', step, steps)),
    ])
  }

  /** The step under way when the process died begins again, as its next attempt. */
  async function resumeStep(db: Db, { run, steps }: Held, step: StepRow, seq: number): Promise<void> {
    if (step.status !== 'running') return
    step.attempt += 1
    const line: LogLine = {
      stepRunId: step.id,
      stepKey: step.key,
      stepName: step.name,
      attempt: step.attempt,
      at: clock.now(),
      level: 'warning',
      message: `The step was interrupted; attempt ${step.attempt} goes on from here.`,
    }
    await holdRun(db, run.id, executorId, 1)
    await updateStep(db, step.id, { attempt: step.attempt })
    await insertLogs(db, run, seq, [line])
    await events.logged(db, run, seq, [line])
    await events.runMoved(db, run, 'running', progressOf(steps))
  }

  async function perform(
    ref: RunRef,
    key: string,
    signal: AbortSignal,
  ): Promise<'next' | 'over' | 'lost' | 'left'> {
    const mine = held.get(ref.runId)
    const step = mine?.steps.find((each) => each.key === key)
    if (mine === undefined || step === undefined) return 'lost'
    if (step.status === 'succeeded') return isLast(mine, step) ? 'over' : 'next'
    const definition = mine.definition.steps.find((each) => each.key === key)
    const report = reportStep({
      run: mine.run,
      step,
      executorId,
      events,
      clock,
      withRun: (work) => inTenant(ref, work),
      onProgress: async (db, percent) => {
        step.progressPercent = percent
        await mine.definition.onMove?.(db, moveOf(mine.run, 'running', step, mine.steps))
      },
      onFailure: (error) =>
        log.error({ err: error, runId: ref.runId }, 'Log lines of a run could not be written'),
    })
    const context: StepContext = {
      run: mine.run,
      attempt: step.attempt,
      outputs: Object.fromEntries(
        mine.steps.flatMap((each) => (each.output === null ? [] : [[each.key, each.output]])),
      ),
      signal,
      log: (message, level = 'info') => report.log(message, level),
      progress: (percent) => report.progress(percent),
      sleep: (durationMs) => sleep(clock, durationMs, signal),
    }
    const outcome = await execute(definition, context, ref)
    if (outcome === 'left') {
      await report.stop()
      held.delete(ref.runId)
      return 'left'
    }
    if (outcome.status === 'failed') report.log(outcome.message, 'error')
    if (outcome.status === 'cancelled') report.log('Cancelled.', 'warning')
    await report.stop()
    const result = await settle(ref, mine, step, outcome, report.pending())
    if (result !== 'next') held.delete(ref.runId)
    return result
  }

  async function execute(
    definition: StepDefinition | undefined,
    context: StepContext,
    ref: RunRef,
  ): Promise<Outcome | 'left'> {
    try {
      if (definition === undefined) throw new StepFailure('This server does not know this step any more.')
      context.signal.throwIfAborted()
      const output = await definition.execute(context)
      return { status: 'succeeded', output: output ?? null }
    } catch (error) {
      if (context.signal.reason instanceof EngineStopping) return 'left'
      if (context.signal.aborted) return { status: 'cancelled' }
      log[error instanceof StepFailure ? 'warn' : 'error'](
        { err: error, runId: ref.runId, step: definition?.key },
        'A step failed',
      )
      return { status: 'failed', message: wordsOf(error) }
    }
  }

  /** Records a step's end and opens the next one, or ends the run: one transaction per step. */
  async function settle(
    ref: RunRef,
    mine: Held,
    step: StepRow,
    outcome: Outcome,
    lines: readonly LogLine[],
  ): Promise<'next' | 'over' | 'lost'> {
    return inTenant(ref, async (db, isRepeated) => {
      if (isRepeated) {
        const recorded = await recordedResult(db, ref.runId, step)
        if (recorded !== undefined) return recorded
      }
      const row = await holdRun(db, ref.runId, executorId, lines.length)
      if (row === undefined) return 'lost'
      const now = clock.now()
      const succeeded = outcome.status === 'succeeded'
      const next =
        succeeded && row.status === 'running' ? mine.steps[mine.steps.indexOf(step) + 1] : undefined
      // The copies are kept only once the transaction is through, for it may be repeated.
      const after = { ...step, status: moveStep(step.status, outcome.status) }
      if (outcome.status === 'succeeded')
        Object.assign(after, { progressPercent: 100, output: outcome.output })
      const opened = next === undefined ? undefined : { ...next }
      const steps = mine.steps.map((each) =>
        each.id === step.id ? after : each.id === opened?.id ? opened : each,
      )
      const copy = { ...mine, steps }
      await Promise.all([
        insertLogs(db, mine.run, row.firstSeq, lines),
        events.logged(db, mine.run, row.firstSeq, lines),
        updateStep(db, step.id, {
          status: after.status,
          output: after.output,
          progressPercent: after.progressPercent,
          finishedAt: now,
          error: outcome.status === 'failed' ? { message: outcome.message } : null,
        }),
        events.stepMoved(db, mine.run, {
          ...after,
          message: outcome.status === 'failed' ? outcome.message : '',
        }),
        opened === undefined ? undefined : openStep(db, copy, opened),
      ])
      if (opened === undefined) {
        const isCut = succeeded && !isLast(mine, step)
        await close(db, copy, row.status, isCut ? { status: 'cancelled' } : outcome, {
          step: after,
          cancelRequestedBy: row.cancelRequestedBy,
        })
      }
      return { result: opened === undefined ? ('over' as const) : ('next' as const), steps }
    }).then((settled) => {
      if (typeof settled === 'string') return settled
      mine.steps.splice(0, mine.steps.length, ...settled.steps)
      return settled.result
    })
  }

  /** What the transaction before did, if its commit went through although nobody heard of it. */
  async function recordedResult(db: Db, runId: string, step: StepRow): Promise<'next' | 'over' | undefined> {
    const steps = await readSteps(db, runId)
    const recorded = steps.find((each) => each.id === step.id)
    if (recorded === undefined || recorded.status === 'running') return undefined
    const mine = held.get(runId)
    mine?.steps.splice(0, mine.steps.length, ...steps)
    return steps.some((each) => each.status === 'running') ? 'next' : 'over'
  }

  /** Ends the run with the step that ended it; steps that were not reached are skipped or cancelled. */
  async function close(
    db: Db,
    { run, definition, steps }: Held,
    from: RunStatus,
    outcome: Outcome,
    end: { step?: StepRow; cancelRequestedBy?: number | null } = {},
  ): Promise<void> {
    const status = finalStatus(from, outcome)
    const rest = steps.filter(
      (each) => !['succeeded', 'failed', 'cancelled', 'skipped'].includes(each.status),
    )
    const restStatus = outcome.status === 'failed' ? ('skipped' as const) : ('cancelled' as const)
    for (const each of rest) {
      const to = each.status === 'running' && outcome.status === 'failed' ? 'failed' : restStatus
      await updateSteps(db, [each.id], { status: moveStep(each.status, to), finishedAt: clock.now() })
      await events.stepMoved(db, run, { ...each, status: to })
    }
    const step = end.step ?? rest[0]
    const message = outcome.status === 'failed' ? outcome.message : null
    const outputs = Object.fromEntries(
      steps.flatMap((each) => (each.output === null ? [] : [[each.key, each.output]])),
    )
    const cancelledBy =
      status === 'cancelled'
        ? await userName(db, end.cancelRequestedBy ?? (await requesterOf(db, run.id)))
        : null
    await updateRun(db, run.id, {
      status,
      finishedAt: clock.now(),
      output: status === 'completed' ? outputs : undefined,
      error: message === null ? undefined : { message, stepKey: step?.key ?? null },
    })
    await noteLastRun(db, run.workflowId, run.id, status)
    await events.runMoved(db, run, status, progressOf(steps))
    await definition.onMove?.(db, { ...moveOf(run, status, step, steps), error: message, cancelledBy })
  }

  async function requesterOf(db: Db, runId: string): Promise<number | null> {
    return (await lockRun(db, runId))?.cancelRequestedBy ?? null
  }

  async function abandon(ref: RunRef, reason: string): Promise<void> {
    held.delete(ref.runId)
    await inTenant(ref, async (db) => {
      const run = await lockRun(db, ref.runId)
      if (run === undefined || isRunOver(run.status) || run.executorId !== executorId) return
      const definition = definitions.get(run.workflowKey) ?? emptyDefinition
      const steps = await readSteps(db, run.id)
      await close(db, { run, definition, steps }, run.status, { status: 'failed', message: reason })
    })
  }

  return { begin, perform, abandon }
}

const emptyDefinition: WorkflowDefinition = { key: '', name: '', description: '', type: 'custom', steps: [] }

function isLast(mine: Held, step: StepRow): boolean {
  return mine.steps.at(-1)?.id === step.id
}

function finalStatus(from: RunStatus, outcome: Outcome): RunStatus {
  const to = outcome.status === 'succeeded' ? 'completed' : outcome.status
  if (from === 'queued') return to === 'cancelled' ? moveRun(from, to) : moveRun(from, 'running', to)
  if (to === 'cancelled' && from === 'running') return moveRun(from, 'cancelling', 'cancelled')
  return moveRun(from, to)
}

function moveOf(run: RunFacts, status: RunStatus, step: StepRow | undefined, steps: readonly StepRow[]) {
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
function progressOf(steps: readonly StepRow[]): number {
  if (steps.length === 0) return 0
  return Math.round(steps.reduce((sum, step) => sum + step.progressPercent, 0) / steps.length)
}

function wordsOf(error: unknown): string {
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
