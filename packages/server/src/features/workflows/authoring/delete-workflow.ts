import type { Who } from '../../../platform/act.ts'
import type { Database } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Publish } from '../ports.ts'
import type { ForgetRuns } from '../run-retention.ts'
import { recordChange } from './record-change.ts'
import { lockOwn } from './rules.ts'
import { countOpenRuns, deleteRuns, deleteWorkflowRow, setWorkflowState, someRunIds } from './store.ts'

/** Runs that are deleted in one transaction. */
const runsAtOnce = 200

type Parts = { database: Database; publish: Publish; forgetRuns: ForgetRuns }

/**
 * Deletes a workflow with its runs, in several transactions, for they may be many: stopped half way, it is archived and
 * can be deleted again. Throws `conflict` while a run has not ended.
 */
export async function deleteWorkflow(parts: Parts, id: string, who: Who): Promise<{ deletedRuns: number }> {
  const { database } = parts
  const { organizationId } = who
  await database.withTenant(organizationId, async (db) => {
    const row = await lockOwn(db, organizationId, id)
    const open = await countOpenRuns(db, organizationId, id)
    if (open > 0) {
      const what = open === 1 ? 'A run of this workflow has' : `${open} runs of this workflow have`
      throw new AppError('conflict', `${what} not ended. Cancel what goes on, then delete the workflow.`)
    }
    await setWorkflowState(db, organizationId, row.id, 'archived')
  })
  const deletedRuns = await deleteAllRuns(parts, organizationId, id)
  return database.withTenant(organizationId, async (db) => {
    const workflow = await lockOwn(db, organizationId, id)
    await deleteWorkflowRow(db, organizationId, id)
    await recordChange(db, parts.publish, who, { change: 'deleted', workflow, diff: { deletedRuns } })
    return { deletedRuns }
  })
}

async function deleteAllRuns(parts: Parts, organizationId: number, workflowId: string): Promise<number> {
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
