import type { RunStatus } from '@bey/contract'

import { type Db, withCommit } from '../../platform/db/database.ts'
import type { RunMove, WorkflowDefinition } from './definition.ts'
import type { Publish } from './ports.ts'
import { logEvents, runEvents, stepEvent } from './run-events.ts'
import { userName, writeRunChange } from './run-store.ts'
import { progressOf, type RunChange, type RunState, stateAfter } from './run-transitions.ts'

/**
 * Records a change of a run in the caller's transaction, publishes its events, and lets the workflow change what the
 * run works on. The caller has the run's row locked since it read `state`.
 */
export async function applyRunChange(
  db: Db,
  options: { publish: Publish; definition: WorkflowDefinition | undefined },
  state: RunState,
  change: RunChange,
): Promise<void> {
  const { run } = state
  const { steps } = stateAfter(state, change)
  // That a run was taken over is shown as well.
  const hasChanged = change.status !== run.status || change.recoveryCount !== run.recoveryCount
  const activeCount = await writeRunChange(db, run, change)
  const move = moveOf(run, change.status, change.current, steps, change.error?.message ?? null)
  const events = [
    ...logEvents(run, run.logCount + 1, change.lines),
    ...change.steps.map((step) => stepEvent(run, { ...step, message: step.error?.message ?? '' })),
    ...(hasChanged ? runEvents(run, change.status, move.progressPercent, activeCount) : []),
  ]
  withCommit(db, options.publish(db, events))
  const cancelledBy = change.status === 'cancelled' ? await userName(db, run.cancelRequestedBy) : null
  await options.definition?.onMove?.(db, { ...move, cancelledBy })
}

/** What a workflow receives when a run changes. */
export function moveOf(
  run: RunState['run'],
  status: RunStatus,
  step: { key: string; name: string } | undefined,
  steps: RunState['steps'],
  error: string | null = null,
): RunMove {
  return {
    run,
    status,
    stepKey: step?.key ?? null,
    stepName: step?.name ?? null,
    progressPercent: status === 'completed' ? 100 : progressOf(steps),
    error,
    cancelledBy: null,
  }
}
