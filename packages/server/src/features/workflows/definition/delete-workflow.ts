import { act, serverItself, type Who } from '../../../platform/act.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Publish } from '../ports.ts'
import { purgeTime } from '../present.ts'
import type { ForgetRuns } from '../runs/retention.ts'
import { recordChange } from './record-change.ts'
import { lockOwn, lockOwnOrDeleted } from './rules.ts'
import { countOpenRuns, deleteRuns, deleteWorkflowRow, markDeleted, someRunIds } from './store.ts'

/** Runs that are deleted in one transaction. */
const runsAtOnce = 200

type Parts = { database: Database; publish: Publish; forgetRuns: ForgetRuns; clock: Clock }

/** Deletes a workflow, which can be restored for seven days. Throws `conflict` while a run has not ended. */
export function deleteWorkflow(parts: Parts, id: string, who: Who) {
  const { organizationId } = who
  return parts.database.withTenant(organizationId, async (db) => {
    const row = await lockOwn(db, organizationId, id)
    await requireNoOpenRun(db, organizationId, id)
    const deletedAt = parts.clock.now()
    const purgeAt = purgeTime({ deletedAt })?.toISOString() ?? null
    await markDeleted(db, organizationId, row, deletedAt)
    await recordChange(db, parts.publish, who, { change: 'deleted', workflow: row, diff: { purgeAt } })
    return { purgeAt, deletedRuns: 0 }
  })
}

/** Makes a deleted workflow what it was before. Throws `conflict` for one that is not deleted. */
export async function restoreWorkflow(
  { publish }: Pick<Parts, 'publish'>,
  db: Db,
  id: string,
  who: Who,
): Promise<{ version: number }> {
  const { organizationId } = who
  const row = await lockOwnOrDeleted(db, organizationId, id)
  if (row.deletedAt === null) throw new AppError('conflict', `The workflow "${row.name}" is not deleted.`)
  await markDeleted(db, organizationId, row, null)
  const diff = { state: row.stateBefore }
  await recordChange(db, publish, who, { change: 'restored', workflow: row, diff })
  return { version: row.version }
}

/**
 * Deletes a workflow for good with its runs, in several transactions, for they may be many: stopped half way, it is
 * deleted and can be deleted for good again. Throws `conflict` while a run has not ended.
 */
export async function deleteForGood(parts: Parts, id: string, who: Who) {
  const { database } = parts
  const { organizationId } = who
  await database.withTenant(organizationId, async (db) => {
    const row = await lockOwnOrDeleted(db, organizationId, id)
    await requireNoOpenRun(db, organizationId, id)
    if (row.deletedAt === null) await markDeleted(db, organizationId, row, parts.clock.now())
  })
  const deletedRuns = await deleteAllRuns(parts, organizationId, id)
  return database.withTenant(organizationId, async (db) => {
    const workflow = await lockOwnOrDeleted(db, organizationId, id)
    // Restored meanwhile: what is left of it stays.
    if (workflow.deletedAt === null) throw new AppError('conflict', 'The workflow was restored meanwhile.')
    await deleteWorkflowRow(db, organizationId, id)
    await recordChange(db, parts.publish, who, { change: 'purged', workflow, diff: { deletedRuns } })
    return { purgeAt: null, deletedRuns }
  })
}

/** The same of a workflow whose time to be restored is over, by the server itself. */
export async function purgeDeleted(
  parts: Pick<Parts, 'database' | 'forgetRuns'>,
  organizationId: number,
  id: string,
): Promise<void> {
  await deleteAllRuns(parts, organizationId, id)
  await parts.database.withTenant(organizationId, async (db) => {
    const workflow = await lockOwnOrDeleted(db, organizationId, id)
    if (workflow.deletedAt === null) return
    await deleteWorkflowRow(db, organizationId, id)
    await act(db, serverItself(organizationId), {
      action: 'workflow.purge',
      class: 'delete',
      target: { type: 'workflow', id, name: workflow.name },
    })
  })
}

async function requireNoOpenRun(db: Db, organizationId: number, id: string): Promise<void> {
  const open = await countOpenRuns(db, organizationId, id)
  if (open === 0) return
  const what = open === 1 ? 'A run of this workflow has' : `${open} runs of this workflow have`
  throw new AppError('conflict', `${what} not ended. Cancel what goes on, then delete the workflow.`)
}

async function deleteAllRuns(
  parts: Pick<Parts, 'database' | 'forgetRuns'>,
  organizationId: number,
  workflowId: string,
): Promise<number> {
  for (let count = 0; ;) {
    const ids = await parts.database.withTenant(organizationId, (db) =>
      someRunIds(db, organizationId, workflowId, runsAtOnce),
    )
    if (ids.length === 0) return count
    // The engine first: what it has forgotten and we have not is found again.
    await parts.forgetRuns(ids)
    await parts.database.withTenant(organizationId, (db) => deleteRuns(db, organizationId, ids))
    count += ids.length
  }
}
