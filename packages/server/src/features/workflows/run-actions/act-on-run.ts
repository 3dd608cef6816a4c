import { isRunOver, type Run } from '@bey/contract'

import { audit } from '../../../platform/audit/audit.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { missing, type Who, type WorkflowParts } from '../parts.ts'
import { presentRun } from '../present.ts'
import { type LockedRun, lockRun } from '../run-store.ts'
import { findRun, type RunRow } from '../store.ts'

/** Who does something to a run, and where. */
export type Actor = Who & { organizationId: number }

type Entry = {
  action: string
  target: { type: string; id: string; name: string }
  runId?: string
  diff?: Record<string, unknown>
}

export function recordAct(db: Db, who: Actor, entry: Entry): Promise<void> {
  const { organizationId, userId, name, via, ip, userAgent, requestId } = who
  const { diff, ...rest } = entry
  return audit(db, {
    organizationId,
    actor: { type: 'user', id: userId, display: name },
    via,
    class: 'execute',
    ip,
    userAgent,
    requestId,
    ...rest,
    ...(diff === undefined ? {} : { diff }),
  })
}

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
  who: Actor,
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
      await recordAct(db, who, { action, target, runId, diff })
    }
    const { run } = await shownRun(db, organizationId, workflowId, runId)
    return keepReply(db, { run, ...rest() })
  })
}

/** For replies that say nothing beside the run. */
export const nothingElse = () => ({})
