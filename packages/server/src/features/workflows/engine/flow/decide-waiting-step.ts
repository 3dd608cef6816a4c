import { isRunOver } from '@bey/contract'
import { and, asc, desc, eq } from 'drizzle-orm'

import type { Db } from '../../../../platform/db/database.ts'
import { runApprovals } from '../../../../tables/run-approvals.ts'
import { stepEvents } from '../../../../tables/step-events.ts'
import { workflowRuns } from '../../../../tables/workflow-runs.ts'
import type { LockedRun, StepRow } from '../../runs/store.ts'
import { endStep, type StepEnd } from '../end-step.ts'
import type { Execution } from '../execution.ts'
import type { StepDecision } from '../decide-step.ts'
import { decidedApproval } from './decided-approval.ts'

/** Looks whether what a step waits for has come, in the transaction that has its run locked. */
export async function decideWaitingStep(
  x: Execution,
  db: Db,
  run: LockedRun,
  key: string,
  step: StepRow,
): Promise<Extract<StepDecision, { kind: 'wait' | 'event' }>> {
  const conclusion = await stepEndOf(x, db, run, key, step)
  if (conclusion === undefined) return { kind: 'wait', until: step.nextAt }
  return { kind: 'event', event: await endStep(x, db, run, key, step, conclusion) }
}

async function stepEndOf(
  x: Execution,
  db: Db,
  run: LockedRun,
  key: string,
  step: StepRow,
): Promise<StepEnd | undefined> {
  const isDue = step.nextAt !== null && step.nextAt <= x.parts.clock.now()
  const isEnding = run.status === 'cancelling' || x.hasTimedOut()
  if (isEnding) {
    await leave(x, db, run, key, step)
    return run.status === 'cancelling'
      ? { result: 'cancelled' }
      : { result: 'timed_out', error: { message: 'The time of the run was up.' } }
  }
  switch (step.type) {
    case 'approval':
      return decidedApproval(db, step, isDue, x.parts.clock.now())
    case 'wait_event':
      return arrivedEvent(db, run, step, isDue)
    case 'subworkflow':
      return endedChild(db, run, key)
    default:
      return isDue ? { result: 'succeeded', output: {} } : undefined
  }
}

async function arrivedEvent(
  db: Db,
  run: LockedRun,
  step: StepRow,
  isDue: boolean,
): Promise<StepEnd | undefined> {
  const [row] = await db
    .select({ event: stepEvents.event })
    .from(stepEvents)
    .where(and(eq(stepEvents.runId, run.id), eq(stepEvents.stepRunId, step.id)))
    .orderBy(asc(stepEvents.id))
    .limit(1)
  if (row !== undefined) return { result: 'succeeded', output: { event: row.event } }
  return isDue ? { result: 'timed_out', error: { message: 'The event did not come in time.' } } : undefined
}

async function endedChild(db: Db, run: LockedRun, key: string): Promise<StepEnd | undefined> {
  const child = await childOf(db, run, key)
  if (child === undefined)
    return { result: 'failed', error: { message: 'The run that was waited for is gone.' } }
  if (!isRunOver(child.status)) return undefined
  const output = {
    workflow_id: child.workflowId,
    run_id: child.id,
    status: child.status,
    output: child.output ?? {},
  }
  if (child.status === 'completed') return { result: 'succeeded', output }
  const why = child.error?.message ?? `It is ${child.status.replace('_', ' ')}.`
  return { result: 'failed', output, error: { message: `The workflow did not complete. ${why}` } }
}

/** What a step that waits no longer leaves behind: nobody is asked any more, and the run it started stops as well. */
async function leave(x: Execution, db: Db, run: LockedRun, key: string, step: StepRow): Promise<void> {
  if (step.type === 'approval') {
    await db
      .update(runApprovals)
      .set({ status: 'cancelled', finishedAt: x.parts.clock.now() })
      .where(and(eq(runApprovals.stepRunId, step.id), eq(runApprovals.status, 'pending')))
  }
  if (step.type !== 'subworkflow') return
  const child = await childOf(db, run, key)
  // A run never waits for the lock of its parent, so that the two cannot block each other.
  if (child !== undefined) await x.parts.cancelRun(db, child.id, { userId: run.cancelRequestedBy })
}

async function childOf(db: Db, run: LockedRun, key: string) {
  const [child] = await db
    .select({
      id: workflowRuns.id,
      workflowId: workflowRuns.workflowId,
      status: workflowRuns.status,
      output: workflowRuns.output,
      error: workflowRuns.error,
    })
    .from(workflowRuns)
    .where(and(eq(workflowRuns.parentRunId, run.id), eq(workflowRuns.parentStepKey, key)))
    .orderBy(desc(workflowRuns.queuedAt))
    .limit(1)
  return child
}
