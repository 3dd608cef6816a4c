import type { Run } from '@bey/contract'
import { eq } from 'drizzle-orm'

import { AppError } from '../../../platform/errors.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { applyRunChange } from '../execution/apply-change.ts'
import { unchanged, withEnd } from '../execution/run-change.ts'
import { changeListeners, type WorkflowParts } from '../parts.ts'
import { readOpenSteps } from '../run-store.ts'
import { type Actor, actOnRun } from './act-on-run.ts'

const afterMs = 10_000

/**
 * Ends a run that was asked to stop ten seconds ago or more, without waiting for its steps. `leftBehind` names the steps
 * that were under way: what they began may go on or stay.
 */
export async function forceCancel(
  parts: WorkflowParts,
  who: Actor,
  ids: { workflowId: string; runId: string },
): Promise<{ run: Run; leftBehind: string[] }> {
  let leftBehind: string[] = []
  const { run: shown } = await actOnRun(
    parts,
    who,
    ids,
    'workflow_run.force_cancel',
    async (db, run, progressPercent) => {
      const [asked] = await db
        .select({ at: workflowRuns.cancelRequestedAt })
        .from(workflowRuns)
        .where(eq(workflowRuns.id, run.id))
      const now = parts.clock.now()
      if (run.status !== 'cancelling' || !asked?.at) {
        throw new AppError('conflict', 'Ask the run to stop first. It can be forced ten seconds later.')
      }
      const leftMs = asked.at.getTime() + afterMs - now.getTime()
      if (leftMs > 0) {
        const seconds = Math.ceil(leftMs / 1_000)
        throw new AppError('conflict', `The run is stopping by itself. It can be forced in ${seconds} s.`)
      }
      const open = await readOpenSteps(db, run.id)
      const underWay = open.filter(({ status }) => status === 'running')
      leftBehind = underWay.slice(0, 100).map(({ name }) => name)
      const change = withEnd(unchanged(run), run, open, { status: 'cancelled', stepKey: null }, now)
      await applyRunChange(db, changeListeners(parts, run), run, change, progressPercent)
      await parts.engine.wakeRun(db, run.id)
      return { leftBehind }
    },
  )
  return { run: shown, leftBehind }
}
