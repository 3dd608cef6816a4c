import { isRunOver } from '@bey/contract'

import { act, type Member } from '../../../platform/act.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { recordRunChange } from '../engine/record-run-change.ts'
import { moveThrough, unchanged, withEnd } from '../engine/run-change.ts'
import { changeListeners, definitionOf, missing, type WorkflowParts } from '../parts.ts'
import { presentRun } from '../present.ts'
import { runEvents } from './events.ts'
import { lockRunState, markCancelRequested } from './store.ts'
import { findRun } from '../store.ts'
import { findWorkflowFacts } from '../definition/facts.ts'
import { whyNotNow } from '../../../platform/keys/key-rights.ts'

/**
 * Asks a run to stop inside the caller's transaction: one that is queued is over at once, one that runs ends within
 * its step. Undefined when it is over or stopping already.
 */
export async function cancelRun(
  parts: WorkflowParts,
  db: Db,
  runId: string,
  by: { userId: number | null },
): Promise<'cancelled' | 'cancelling' | undefined> {
  const state = await lockRunState(db, runId)
  if (state === undefined) return undefined
  const { run } = state
  if (isRunOver(run.status) || run.status === 'cancelling') return undefined
  const isBegun = run.status !== 'queued' && run.status !== 'scheduled'
  const status = isBegun ? moveThrough(run.status, 'cancelling') : run.status
  const now = parts.clock.now()
  await markCancelRequested(db, runId, { status, cancelRequestedAt: now, cancelRequestedBy: by.userId })
  if (isBegun) {
    await parts.publish(db, runEvents(run, 'cancelling', 0, false))
    await parts.engine.requestCancel(db, runId)
    return 'cancelling'
  }
  const asked = { ...run, cancelRequestedBy: by.userId }
  const end = { status: 'cancelled' as const, stepKey: null }
  const change = withEnd(unchanged(asked), asked, state.steps, end, now)
  await recordRunChange(db, changeListeners(parts, run), asked, change, 0)
  // Another run may wait for this one's subject.
  await parts.engine.enqueue(db, runId)
  return 'cancelled'
}

/** Cancels a run for a person, who must also be allowed what its workflow asks for. Asked twice, answers the same run. */
export function requestCancel(parts: WorkflowParts, workflowId: string, runId: string, who: Member) {
  const { organizationId } = who
  return parts.database.withTenant(organizationId, async (db) => {
    const found = await findRun(db, organizationId, workflowId, runId)
    if (found === undefined) return missing('workflow run')
    const workflow = await findWorkflowFacts(db, organizationId, workflowId)
    const needed = definitionOf(parts, workflow ?? { builtIn: null })?.cancelPermission
    const reason = needed === undefined ? undefined : whyNotNow(who.role, needed)
    if (reason !== undefined) throw new AppError('forbidden', reason)
    const moved = await cancelRun(parts, db, runId, { userId: who.user.id })
    const row = await findRun(db, organizationId, workflowId, runId)
    if (row === undefined) return missing('workflow run')
    if (moved !== undefined) {
      await act(db, who, {
        action: 'workflow_run.cancel',
        class: 'execute',
        target: { type: 'workflow_run', id: runId, name: row.workflowName },
        runId,
      })
    }
    return keepReply(db, { run: presentRun(row) })
  })
}
