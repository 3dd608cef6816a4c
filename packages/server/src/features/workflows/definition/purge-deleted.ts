import { workflowDeletionDays } from '@bey/contract'

import type { Retention } from '../../../platform/db/retention.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { ForgetRuns } from '../runs/retention.ts'
import { purgeDeleted } from './delete-workflow.ts'
import { listDeletedBefore } from './store.ts'

/** Deletes for good what was deleted seven days ago, with its runs. */
export function createPurgeOfDeleted(parts: { database: Database; forgetRuns: ForgetRuns }): Retention {
  return async function purgeDeletedWorkflows(now) {
    const before = new Date(now.getTime() - workflowDeletionDays * 86_400_000)
    for (;;) {
      const due = await parts.database.asSystem('retention', (db) => listDeletedBefore(db, before))
      if (due.length === 0) return
      for (const { organizationId, id } of due) await purgeDeleted(parts, organizationId, id)
    }
  }
}
