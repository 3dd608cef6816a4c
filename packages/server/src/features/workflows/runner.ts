import type { RunStatus } from '@bey/contract'
import { isRunOver } from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import { type Database, type Db, withCommit } from '../../platform/db/database.ts'
import type { Interpreter, RunRef } from '../../platform/engine/engine.ts'
import { EngineStopping, StepFailure } from '../../platform/engine/step-failure.ts'
import type { Log } from '../../platform/log.ts'
import type { Json, RunFacts, StepContext, StepDefinition, WorkflowDefinition } from './definition.ts'
import { moveRun, moveStep } from './moves.ts'
import { patiently } from './patience.ts'
import type { Publish } from './ports.ts'
import { reportStep } from './reporter.ts'
import { logged, runMoved, stepMoved } from './run-events.ts'
import { advanceRun, beginRun, type BegunRun, completeRun } from './run-statements.ts'
import {
  countActive,
  holdRun,
  insertLogs,
  lockRun,
  type LogLine,
  readSteps,
  type StepRow,
  updateRun,
  updateStep,
  updateSteps,
  userName,
} from './run-store.ts'

import {
  emptyDefinition,
  finalStatus,
  isLast,
  moveOf,
  open,
  type Outcome,
  outputsOf,
  progressOf,
  sleep,
  wordsOf,
} from './run-walk.ts'

type Options = {
  database: Database
  definitions: ReadonlyMap<string, WorkflowDefinition>
  publish: Publish
  clock: Clock
  log: Log
  executorId: string
}

/** A run that this process executes, as far as it is known here. */
type Held = { run: RunFacts; definition: WorkflowDefinition; steps: StepRow[]; logCount: number }

const maxRecoveries = 100

/** Executes the steps of runs for the engine and records each move with its events in one transaction. */
export function createRunner(options: Options): Interpreter {
  const { database, definitions, publish, clock, log, executorId } = options
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
    const [begun] = await beginRun(db, [ref.runId, executorId, clock.now(), [...definitions.keys()]])
    return begun === undefined ? takeOver(db, ref) : goFirst(db, begun)
  }

  async function goFirst(db: Db, { steps, logCount, active, ...run }: BegunRun): Promise<Held> {
    const definition = definitions.get(run.workflowKey) ?? emptyDefinition
    const status = moveRun('queued', 'running')
    const [first] = steps
    if (first !== undefined) open(first)
    const told = first === undefined ? [] : [stepMoved(run, first)]
    withCommit(db, publish(db, [...runMoved(run, status, 0, active), ...told]))
    await definition.onMove?.(db, moveOf(run, status, first, steps))
    return { run, definition, steps, logCount }
  }

  /** A run that was executed before, here or by a process that is gone, or that cannot be executed here at all. */
  async function takeOver(db: Db, ref: RunRef): Promise<Held | undefined> {
    const [run, steps] = await Promise.all([lockRun(db, ref.runId), readSteps(db, ref.runId)])
    if (run === undefined || isRunOver(run.status)) return undefined
    const definition = definitions.get(run.workflowKey)
    const mine = { run, definition: definition ?? emptyDefinition, steps, logCount: run.logCount }
    if (definition === undefined) {
      const message = `This server knows no workflow "${run.workflowKey}".`
      await close(db, mine, run.status, { status: 'failed', message })
      return undefined
    }
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
    const first = steps.find((step) => step.status !== 'succeeded')
    if (first?.status === 'running') await resumeStep(db, mine, first)
    return mine
  }

  /** The step under way when the run was interrupted begins again, as its next attempt. */
  async function resumeStep(db: Db, mine: Held, step: StepRow): Promise<void> {
    const { run, steps } = mine
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
    mine.logCount += 1
    await holdRun(db, run.id, executorId, 1)
    await updateStep(db, step.id, { attempt: step.attempt })
    await insertLogs(db, run, mine.logCount, [line])
    await publish(db, [
      ...logged(run, mine.logCount, [line]),
      ...runMoved(run, 'running', progressOf(steps), undefined),
    ])
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
      publish,
      clock,
      withRun: (work) => inTenant(ref, work),
      onProgress: async (db, percent) => {
        step.progressPercent = percent
        await mine.definition.onMove?.(db, moveOf(mine.run, 'running', step, mine.steps))
      },
      onWritten: (count) => {
        mine.logCount += count
      },
      onFailure: (error) =>
        log.error({ err: error, runId: ref.runId }, 'Log lines of a run could not be written'),
    })
    const context: StepContext = {
      run: mine.run,
      attempt: step.attempt,
      outputs: outputsOf(mine.steps),
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
      // What a step does may be done twice, and the database be away when it asks it something.
      const output = await patiently(clock, () => {
        context.signal.throwIfAborted()
        return definition.execute(context)
      })
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
    const settled = await inTenant(ref, async (db, isRepeated) => {
      const recorded = isRepeated ? await recordedResult(db, ref.runId, step) : undefined
      if (recorded !== undefined) return recorded
      const smooth =
        outcome.status === 'succeeded' ? await goOnOrAgain(db, mine, step, outcome.output, lines) : undefined
      return smooth ?? (await endWith(db, mine, step, outcome, lines))
    })
    if (typeof settled === 'string') return settled
    // The copies are kept only now that the transaction is through, for it may be repeated.
    mine.steps.splice(0, mine.steps.length, ...settled.steps)
    mine.logCount += lines.length
    return settled.result
  }

  type Settled = { result: 'next' | 'over'; steps: StepRow[] }

  async function goOnOrAgain(
    db: Db,
    mine: Held,
    step: StepRow,
    output: Json | null,
    lines: readonly LogLine[],
  ): Promise<Settled | undefined> {
    const settled = await goOn(db, mine, step, output, lines)
    if (settled !== undefined) return settled
    const run = await lockRun(db, mine.run.id)
    if (run?.executorId !== executorId || run.status !== 'running') return undefined
    // Lines were written whose commit was never heard of.
    mine.logCount = run.logCount
    return goOn(db, mine, step, output, lines)
  }

  /** The common case as one statement; undefined, having changed nothing, when something is not as it commonly is. */
  async function goOn(
    db: Db,
    mine: Held,
    step: StepRow,
    output: Json | null,
    lines: readonly LogLine[],
  ): Promise<Settled | undefined> {
    const { run, definition } = mine
    const done = { ...step, status: moveStep(step.status, 'succeeded'), progressPercent: 100, output }
    const following = mine.steps[mine.steps.indexOf(step) + 1]
    const next = following === undefined ? undefined : { ...following }
    if (next !== undefined) open(next)
    const steps = mine.steps.map((each) => (each.id === step.id ? done : each.id === next?.id ? next : each))
    const values = [
      run.id,
      executorId,
      mine.logCount,
      clock.now(),
      step.id,
      output === null ? null : JSON.stringify(output),
      next === undefined ? JSON.stringify(outputsOf(steps)) : next.id,
      step.attempt,
      lines.map((line) => line.at),
      lines.map((line) => line.level),
      lines.map((line) => line.message),
    ]
    const told = [...logged(run, mine.logCount + 1, lines), stepMoved(run, done)]
    if (next === undefined) {
      const [row] = await completeRun(db, values)
      if (row === undefined) return undefined
      const status = moveRun('running', 'completed')
      withCommit(db, publish(db, [...told, ...runMoved(run, status, 100, row.active)]))
      await definition.onMove?.(db, moveOf(run, status, done, steps))
      return { result: 'over', steps }
    }
    const rows = await advanceRun(db, values)
    if (rows.length === 0) return undefined
    withCommit(db, publish(db, [...told, stepMoved(run, next)]))
    await definition.onMove?.(db, moveOf(run, 'running', next, steps))
    return { result: 'next', steps }
  }

  /** A step that failed or was cancelled, or succeeded although the run is being cancelled, ends the run. */
  async function endWith(
    db: Db,
    mine: Held,
    step: StepRow,
    outcome: Outcome,
    lines: readonly LogLine[],
  ): Promise<Settled | 'lost'> {
    const row = await holdRun(db, mine.run.id, executorId, lines.length)
    if (row === undefined) return 'lost'
    const message = outcome.status === 'failed' ? outcome.message : ''
    const done = { ...step, status: moveStep(step.status, outcome.status) }
    if (outcome.status === 'succeeded') Object.assign(done, { progressPercent: 100, output: outcome.output })
    const steps = mine.steps.map((each) => (each.id === step.id ? done : each))
    await insertLogs(db, mine.run, row.firstSeq, lines)
    await updateStep(db, step.id, {
      status: done.status,
      output: done.output,
      progressPercent: done.progressPercent,
      finishedAt: clock.now(),
      error: message === '' ? null : { message },
    })
    await publish(db, [...logged(mine.run, row.firstSeq, lines), stepMoved(mine.run, { ...done, message })])
    const isCut = outcome.status === 'succeeded' && !isLast(mine, step)
    await close(db, { ...mine, steps }, row.status, isCut ? { status: 'cancelled' } : outcome, {
      step: done,
      cancelRequestedBy: row.cancelRequestedBy,
    })
    return { result: 'over', steps }
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
      await publish(db, [stepMoved(run, { ...each, status: to })])
    }
    const step = end.step ?? rest[0]
    const message = outcome.status === 'failed' ? outcome.message : null
    const cancelledBy =
      status === 'cancelled'
        ? await userName(db, end.cancelRequestedBy ?? (await requesterOf(db, run.id)))
        : null
    await updateRun(db, run.id, {
      status,
      finishedAt: clock.now(),
      output: status === 'completed' ? outputsOf(steps) : undefined,
      error: message === null ? undefined : { message, stepKey: step?.key ?? null },
    })
    await publish(db, runMoved(run, status, progressOf(steps), await countActive(db, run.organizationId)))
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
      const mine = { run, definition, steps, logCount: run.logCount }
      await close(db, mine, run.status, { status: 'failed', message: reason })
    })
  }

  return { begin, perform, abandon }
}
