import type { Run } from '@bey/contract'
import { eq } from 'drizzle-orm'

import type { Member } from '../../../../platform/act.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { workflowRuns } from '../../../../tables/workflow-runs.ts'
import { recordRunChange } from '../../engine/record-run-change.ts'
import { unchanged, withEnd } from '../../engine/run-change.ts'
import { changeListeners, type WorkflowParts } from '../../parts.ts'
import { type LockedRun, readOpenSteps } from '../store.ts'
import { actOnRun } from './act-on-run.ts'

const afterMs = 10_000

/**
 * Ends a run that was asked to stop ten seconds ago or more, without waiting for its steps. `leftBehind` names the steps
 * that were under way: what they began may go on or stay.
 */
export function forceCancel(
  parts: WorkflowParts,
  who: Member,
  ids: { workflowId: string; runId: string },
): Promise<{ run: Run; leftBehind: string[] }> {
  let leftBehind: string[] = []
  const force = async (db: Db, run: LockedRun, progressPercent: number) => {
    const now = parts.clock.now()
    await requireTime(db, run, now)
    const open = await readOpenSteps(db, run.id)
    const underWay = open.filter(({ status }) => status === 'running')
    leftBehind = underWay.slice(0, 100).map(({ name }) => name)
    const change = withEnd(unchanged(run), run, open, { status: 'cancelled', stepKey: null }, now)
    await recordRunChange(db, changeListeners(parts, run), run, change, progressPercent)
    await parts.engine.wakeRun(db, run.id)
    return { leftBehind }
  }
  return actOnRun(parts, who, ids, 'workflow_run.force_cancel', force, () => ({ leftBehind }))
}

/** Throws AppError `conflict` before a run has had its time to stop by itself. */
async function requireTime(db: Db, run: LockedRun, now: Date): Promise<void> {
  const [asked] = await db
    .select({ at: workflowRuns.cancelRequestedAt })
    .from(workflowRuns)
    .where(eq(workflowRuns.id, run.id))
  if (run.status !== 'cancelling' || !asked?.at) {
    throw new AppError('conflict', 'Ask the run to stop first. It can be forced ten seconds later.')
  }
  const leftMs = asked.at.getTime() + afterMs - now.getTime()
  if (leftMs <= 0) return
  const seconds = Math.ceil(leftMs / 1_000)
  throw new AppError('conflict', `The run is stopping by itself. It can be forced in ${seconds} s.`)
}
