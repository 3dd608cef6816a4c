import { isRunOver } from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Interpreter, RunRef, StepResult } from '../../platform/engine/interpreter.ts'
import type { Log } from '../../platform/log.ts'
import type { WorkflowDefinition } from './definition.ts'
import { retryWhileDatabaseUnavailable } from './database-retry.ts'
import type { Publish } from './ports.ts'
import { type Reporter, reportStep } from './reporter.ts'
import { applyRunChange, moveOf } from './run-changes.ts'
import { lockRunState, type LogLine, readRunState, type StepRow } from './run-store.ts'
import {
  beginRun,
  endRun,
  endStep,
  isStepOver,
  openNextStep,
  resumeRun,
  stateAfter,
  type RunChange,
  type RunState,
  type StepOutcome,
} from './run-transitions.ts'
import { executeStep } from './step-execution.ts'

type Options = {
  database: Database
  definitions: ReadonlyMap<string, WorkflowDefinition>
  publish: Publish
  clock: Clock
  log: Log
  executorId: string
}

const maxRecoveries = 100

/**
 * Executes the steps of runs for the engine. Whatever changes a run reads its rows under their lock first, so that a
 * crash of the database cannot leave another truth in memory.
 */
export function createRunner(options: Options): Interpreter {
  const { database, definitions, clock, executorId } = options

  /**
   * What a commit has just left, for the step that follows at once. It saves a read and decides nothing: the end of the
   * step looks at the rows again.
   */
  const committed = new Map<string, RunState>()

  /** Runs work in the tenant's transaction; retries while the database is unavailable. */
  function inTenantWithRetry<T>(ref: RunRef, work: (db: Db, isRepeated: boolean) => Promise<T>): Promise<T> {
    return retryWhileDatabaseUnavailable(clock, (isRepeated) =>
      database.withTenant(ref.organizationId, (db) => work(db, isRepeated)),
    )
  }

  function apply(db: Db, state: RunState, change: RunChange): Promise<void> {
    const definition = definitions.get(state.run.workflowKey)
    return applyRunChange(db, { publish: options.publish, definition }, state, change)
  }

  async function begin(ref: RunRef): Promise<readonly string[]> {
    const begun = await inTenantWithRetry(ref, async (db, isRepeated) => {
      const state = await lockRunState(db, ref.runId)
      if (state === undefined || isRunOver(state.run.status)) return undefined
      const change = changeToBegin(state, isRepeated)
      if (change === undefined) return state
      await apply(db, state, change)
      return stateAfter(state, change)
    })
    if (begun === undefined || isRunOver(begun.run.status)) return []
    committed.set(ref.runId, begun)
    return begun.steps.map((step) => step.key)
  }

  /** Undefined when the commit of a previous attempt succeeded but its confirmation was lost. */
  function changeToBegin(state: RunState, isRepeated: boolean): RunChange | undefined {
    const { run } = state
    const now = clock.now()
    if (!definitions.has(run.workflowKey)) {
      const message = `This server knows no workflow "${run.workflowKey}".`
      return endRun(state, { status: 'failed', message }, now)
    }
    if (run.status === 'cancelling') return endRun(state, { status: 'cancelled' }, now)
    if (run.status === 'queued') return beginRun(state, executorId, now)
    if (isRepeated && run.executorId === executorId) return undefined
    if (run.recoveryCount >= maxRecoveries) {
      const message = `The run was taken over ${maxRecoveries} times and never came further.`
      return endRun(state, { status: 'failed', message }, now)
    }
    return resumeRun(state, executorId, now)
  }

  async function perform(ref: RunRef, key: string, signal: AbortSignal): Promise<StepResult> {
    const opened = openCommitted(ref, key) ?? (await inTenantWithRetry(ref, (db) => open(db, ref, key)))
    if (typeof opened === 'string') return opened
    const { state, step } = opened
    const definition = definitions.get(state.run.workflowKey)?.steps.find((each) => each.key === key)
    const report = reporterOf(ref, state, step)
    const outcome = await executeStep({
      definition,
      run: state.run,
      steps: state.steps,
      step,
      report,
      signal,
      clock,
      log: options.log,
    })
    if (outcome !== 'left' && outcome.status === 'failed') report.log(outcome.message, 'error')
    if (outcome !== 'left' && outcome.status === 'cancelled') report.log('Cancelled.', 'warning')
    await report.stop()
    if (outcome === 'left') return 'left'
    const settled = await inTenantWithRetry(ref, (db) => settle(db, ref, step, outcome, report.pending()))
    if (typeof settled === 'string') return settled
    if (isRunOver(settled.run.status)) return 'over'
    committed.set(ref.runId, settled)
    return 'next'
  }

  function openCommitted(ref: RunRef, key: string): { state: RunState; step: StepRow } | undefined {
    const state = committed.get(ref.runId)
    committed.delete(ref.runId)
    const step = state?.steps.find((each) => each.key === key)
    return state !== undefined && step?.status === 'running' ? { state, step } : undefined
  }

  /** The step as it is to be executed, or what the engine has to do instead. */
  async function open(
    db: Db,
    ref: RunRef,
    key: string,
  ): Promise<StepResult | { state: RunState; step: StepRow }> {
    const state = await readRunState(db, ref.runId)
    if (state === undefined || isRunOver(state.run.status)) return 'over'
    if (state.run.executorId !== executorId) return 'lost'
    const step = state.steps.find((each) => each.key === key)
    if (step === undefined || !isReached(state, step)) return 'again'
    if (step.status === 'succeeded') return resultAfter(state, step)
    if (step.status === 'running') return { state, step }
    if (isStepOver(step.status)) return 'again'
    return openPending(db, ref, key)
  }

  async function openPending(db: Db, ref: RunRef, key: string) {
    const state = await lockRunState(db, ref.runId)
    const step = state?.steps.find((each) => each.key === key)
    if (state?.run.status !== 'running' || step?.status !== 'pending') return 'again'
    const change = openNextStep(state, step, clock.now())
    await apply(db, state, change)
    return { state, step: change.current ?? step }
  }

  /** Records the end of a step with what follows from it, once for each attempt; answers what that left. */
  async function settle(
    db: Db,
    ref: RunRef,
    { id, attempt }: StepRow,
    outcome: StepOutcome,
    lines: readonly LogLine[],
  ): Promise<StepResult | RunState> {
    const state = await lockRunState(db, ref.runId)
    const step = state?.steps.find((each) => each.id === id)
    if (state === undefined || step === undefined || isRunOver(state.run.status)) return 'over'
    const { run } = state
    if (run.executorId !== executorId) return 'lost'
    if (step.status === 'succeeded' && step.attempt === attempt) return resultAfter(state, step)
    if (step.status !== 'running' || step.attempt !== attempt || !isReached(state, step)) return 'again'
    if (run.status !== 'running' && run.status !== 'cancelling') return 'again'
    // Only a person cancels: without a recorded request the step was interrupted and is executed again.
    if (outcome.status === 'cancelled' && run.status !== 'cancelling') return 'again'
    const change = endStep(state, step, outcome, lines, clock.now())
    await apply(db, state, change)
    return stateAfter(state, change)
  }

  function reporterOf(ref: RunRef, state: RunState, step: StepRow): Reporter {
    const { run, steps } = state
    return reportStep({
      run,
      step,
      executorId,
      publish: options.publish,
      clock,
      withRun: (work) => inTenantWithRetry(ref, work),
      async onProgress(db, progressPercent) {
        const now = steps.map((each) => (each.id === step.id ? { ...each, progressPercent } : each))
        await definitions.get(run.workflowKey)?.onMove?.(db, moveOf(run, 'running', step, now))
      },
      onFailure: (error) =>
        options.log.error({ err: error, runId: ref.runId }, 'Log lines of a run could not be written'),
    })
  }

  async function abandon(ref: RunRef, reason: string): Promise<void> {
    await inTenantWithRetry(ref, async (db) => {
      const state = await lockRunState(db, ref.runId)
      if (state === undefined || isRunOver(state.run.status) || state.run.executorId !== executorId) return
      await apply(db, state, endRun(state, { status: 'failed', message: reason }, clock.now()))
    })
  }

  return { begin, perform, abandon }
}

/** Whether every step before it is recorded. The engine may know of more: the rows are what a run goes on from. */
function isReached({ steps }: RunState, step: StepRow): boolean {
  return steps.every((each) => each.position >= step.position || each.status === 'succeeded')
}

function resultAfter({ steps }: RunState, step: StepRow): StepResult {
  return steps.at(-1)?.id === step.id ? 'over' : 'next'
}
