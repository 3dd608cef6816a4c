import { isRunOver, type RunStatus } from '@bey/contract'

import { type Db, withCommit } from '../../../platform/db/database.ts'
import type { RunMove, WorkflowDefinition } from '../definition/definition.ts'
import type { Publish } from '../ports.ts'
import { logEvents, runEvents, stepEvent } from '../runs/events.ts'
import { type LockedRun, userName } from '../runs/store.ts'
import type { RunChange } from './run-change.ts'
import { writeRunChange } from './write-run-change.ts'

/** Steps whose change is published one by one; where more change at once, the event of the run has to do. */
const maxStepEvents = 100

export type ChangeListeners = {
  publish: Publish
  /** Undefined for workflows of one's own. */
  definition: WorkflowDefinition | undefined
  /** Told of every move of a run. */
  onRunMove: ((db: Db, move: RunMove) => Promise<void>) | undefined
  /** Lets a run that waits look at its rows once the transaction is committed. */
  wakeRun(db: Db, runId: string): Promise<void>
}

/**
 * Records a change of a run in the caller's transaction, publishes its events, and lets the workflow change what the
 * run works on. The caller has the run's row locked. `progressPercent` is how far the run is with this change.
 */
export async function recordRunChange(
  db: Db,
  listeners: ChangeListeners,
  run: LockedRun,
  change: RunChange,
  progressPercent: number,
): Promise<void> {
  // That a run was taken over is shown as well.
  const hasChanged =
    change.status !== run.status || change.recoveryCount !== run.recoveryCount || change.waiting !== undefined
  // Nothing of its answer is needed: it travels with the commit.
  withCommit(db, writeRunChange(db, run, change))
  const move = moveOf(run, change.status, change.current, progressPercent, change.error?.message ?? null)
  const events = [
    ...logEvents(run, run.logCount + 1, change.lines),
    ...change.steps
      .slice(0, maxStepEvents)
      .map((step) => stepEvent(run, { ...step, message: step.error?.message ?? '' })),
    ...(hasChanged ? runEvents(run, change.status, move.progressPercent, true) : []),
  ]
  const published = listeners.publish(db, events)
  // The end of a run starts others that wait for it, which takes more than one statement.
  if (isRunOver(change.status)) await published
  else withCommit(db, published)
  const cancelledBy = change.status === 'cancelled' ? await userName(db, run.cancelRequestedBy) : null
  await notifyMove(db, listeners, { ...move, cancelledBy })
  if (change.finishedAt !== undefined && run.parentRunId !== null)
    await listeners.wakeRun(db, run.parentRunId)
}

/** Lets the workflow and anyone who listens to all runs know of a move. */
export async function notifyMove(db: Db, listeners: ChangeListeners, move: RunMove): Promise<void> {
  await Promise.all([listeners.definition?.onMove?.(db, move), listeners.onRunMove?.(db, move)])
}

/** What a workflow receives when a run changes. */
export function moveOf(
  run: LockedRun,
  status: RunStatus,
  step: { key: string; name: string } | undefined,
  progressPercent: number,
  error: string | null = null,
): RunMove {
  return {
    run,
    status,
    stepKey: step?.key ?? null,
    stepName: step?.name ?? null,
    progressPercent: status === 'completed' ? 100 : progressPercent,
    error,
    cancelledBy: null,
  }
}
