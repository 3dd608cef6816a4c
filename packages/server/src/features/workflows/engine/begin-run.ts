import { isRunOver } from '@bey/contract'

import type { Db } from '../../../platform/db/database.ts'
import type { RunEvent, RunHost, RunRef } from '../../../platform/engine/interpreter.ts'
import { type LockedRun, lockRunState, readOutputs, type StepRow } from '../runs/store.ts'
import { recordRunChange } from './record-run-change.ts'
import { type ExecutionParts, inTenantWithRetry, listenersOf, runAfter } from './execution.ts'
import { loadPlan, type RunPlan } from './plan.ts'
import {
  beginRun,
  isStepOver,
  outputsOf,
  type RunChange,
  stepAfter,
  takeOverRun,
  unchanged,
  withEnd,
} from './run-change.ts'
import { isLoop, isPlain, mustAskAfterCrash } from './step-kind.ts'

/** As many as the retries of a step may take, and a hundred interruptions. A run that only waits may be taken over for ever. */
const maxAttempts = 201

export type Begun = {
  plan: RunPlan
  run: LockedRun
  /** What was recorded of the run before. */
  events: readonly RunEvent[]
  /** The step that began with the run. */
  first: StepRow | undefined
  outputs: ReturnType<typeof outputsOf>
}

/** Takes a run for this process; undefined when it is over, also where it ended because it could not begin. */
export function takeRun(parts: ExecutionParts, ref: RunRef, host: RunHost): Promise<Begun | undefined> {
  return inTenantWithRetry(parts, ref, async (db, isRepeated) => {
    const [state, events] = await Promise.all([lockRunState(db, ref.runId), host.journal.read(db)])
    if (state === undefined || isRunOver(state.run.status)) return undefined
    const { run, steps } = state
    const plan = await loadPlan(db, run, parts.definitions, parts.stepTypes, steps)
    const open = steps.filter((step) => !isStepOver(step.status))
    const change = await changeToBegin(parts, host, { run, plan, open, isRepeated })
    if (change !== undefined) {
      await recordRunChange(db, listenersOf({ parts, plan }), run, change, 0)
    }
    if (plan === undefined || (change !== undefined && isRunOver(change.status))) return undefined
    const taken = change === undefined ? run : runAfter(run, change)
    const outputs = plan.builtIn === undefined ? [] : await earlierOutputs(db, run, open, plan)
    const first = change?.current === undefined ? undefined : stepAfter(change, change.current.key)
    return {
      plan,
      run: taken,
      events,
      first: run.status === 'queued' ? first : undefined,
      outputs: outputsOf(outputs),
    }
  })
}

type Taken = { run: LockedRun; plan: RunPlan | undefined; open: readonly StepRow[]; isRepeated: boolean }

/** Undefined when the commit of a previous attempt succeeded but its confirmation was lost. */
async function changeToBegin(
  { clock }: ExecutionParts,
  { executorId }: RunHost,
  { run, plan, open, isRepeated }: Taken,
): Promise<RunChange | undefined> {
  const now = clock.now()
  const fail = (message: string) =>
    withEnd(unchanged(run), run, open, { status: 'failed', message, stepKey: null }, now)
  if (plan === undefined) {
    return fail(
      run.workflowKey === ''
        ? 'The version of the workflow that the run was started with does not exist any more.'
        : `This server knows no workflow "${run.workflowKey}".`,
    )
  }
  if (run.status === 'queued' && run.expiresAt !== null && run.expiresAt <= now) {
    const closed = withEnd(unchanged(run), run, open, { status: 'cancelled', stepKey: null }, now)
    const message = 'The run could not begin within the time that its workflow allows in the queue.'
    return { ...closed, status: 'expired', error: { message } }
  }
  if (run.status === 'cancelling' && plan.own === undefined) {
    return withEnd(unchanged(run), run, open, { status: 'cancelled', stepKey: null }, now)
  }
  if (run.status === 'queued') return beginRun(run, executorId, firstStep(plan, open), plan.timeoutMs, now)
  if (isRepeated && run.executorId === executorId) return undefined
  const running = open.filter((step) => step.status === 'running' && !isLoop(plan, step.key))
  const stuck = running.find((step) => step.attempt >= maxAttempts)
  if (stuck !== undefined) {
    return fail(`The step "${stuck.name}" was interrupted ${stuck.attempt} times and never came further.`)
  }
  return takeOverRun(run, executorId, running, (step) => mustAskAfterCrash(plan, step), now)
}

/** The step that begins with the run, in its transaction: the only one that can, where nothing has to be found out first. */
function firstStep(plan: RunPlan, open: readonly StepRow[]): StepRow | undefined {
  const [first, ...more] = [...plan.steps.values()]
    .filter((step) => step.needs.every((need) => !open.some((row) => row.key === need)))
    .filter((step) => open.some((row) => row.key === step.key))
  if (first === undefined || more.length > 0 || !isPlain(plan, first.key)) return undefined
  return open.find((row) => row.key === first.key && row.status === 'pending')
}

/** Only a run that was at work before has any. */
function earlierOutputs(db: Db, run: LockedRun, open: readonly StepRow[], plan: RunPlan) {
  return open.length === plan.steps.size ? Promise.resolve([]) : readOutputs(db, run.id)
}
