import { isRunOver, type Run } from '@bey/contract'

import { act, type Member } from '../../../../platform/act.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { keepReply } from '../../../../platform/http/kept-reply.ts'
import { missing, type WorkflowParts } from '../../parts.ts'
import { presentRun } from '../../present.ts'
import { type LockedRun, lockRun } from '../store.ts'
import { findRun, type RunRow } from '../../store.ts'

/** A run of a workflow as it is shown. Throws AppError `not_found`. */
export async function shownRun(
  db: Db,
  organizationId: number,
  workflowId: string,
  runId: string,
): Promise<{ row: RunRow; run: Run }> {
  const row = (await findRun(db, organizationId, workflowId, runId)) ?? missing('workflow run')
  return { row, run: presentRun(row) }
}

/**
 * Does something to a run with its row locked, records it in the audit trail, and answers the run. `work` answers what is
 * recorded; undefined where nothing had to change. Throws AppError `not_found`, or `conflict` for a run that is over.
 */
export function actOnRun<Rest extends object>(
  parts: WorkflowParts,
  who: Member,
  { workflowId, runId }: { workflowId: string; runId: string },
  action: string,
  work: (db: Db, run: LockedRun, progressPercent: number) => Promise<Record<string, unknown> | undefined>,
  /** What the reply says beside the run; asked after `work`. */
  rest: () => Rest,
): Promise<{ run: Run } & Rest> {
  const { organizationId } = who
  return parts.database.withTenant(organizationId, async (db) => {
    const before = await shownRun(db, organizationId, workflowId, runId)
    const locked = (await lockRun(db, runId)) ?? missing('workflow run')
    if (isRunOver(locked.status))
      throw new AppError('conflict', `The run is ${locked.status.replace('_', ' ')} already.`)
    const diff = await work(db, locked, before.run.progressPercent)
    if (diff !== undefined) {
      const target = { type: 'workflow_run', id: runId, name: before.row.workflowName }
      await act(db, who, { action, class: 'execute', target, runId, diff })
    }
    const { run } = await shownRun(db, organizationId, workflowId, runId)
    return keepReply(db, { run, ...rest() })
  })
}

/** For replies that say nothing beside the run. */
export const nothingElse = () => ({})
