import { isRunOver, runStatuses } from '@bey/contract'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { BelongingsKind, Owner } from '../../../platform/belongings.ts'
import type { Db } from '../../../platform/db/database.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { workflows } from '../../../tables/workflows.ts'
import type { Workflows } from '../service.ts'

const live = runStatuses.filter((status) => !isRunOver(status))

/** Runs that a person started and that are not over. */
export function runBelongings({ cancelRun }: Pick<Workflows, 'cancelRun'>): BelongingsKind {
  return {
    kind: 'runs',
    label: 'Runs under way',
    hint: 'Kept runs go on to their end. Ended ones are cancelled, and their steps stop.',
    choices: ['keep', 'transfer', 'end'],
    async list(db, of, limit) {
      const rows = await runsUnderWay(db, of)
      const items = rows.slice(0, limit).map(({ id, name, status }) => ({ id, name, detail: status }))
      return { total: rows.length, items }
    },
    async settle(db, of, { choice, toUserId, by }) {
      const rows = await runsUnderWay(db, of)
      const ids = rows.map(({ id }) => id)
      if (choice === 'end') for (const id of ids) await cancelRun(db, id, by)
      if (choice === 'transfer' && toUserId !== undefined && ids.length > 0) {
        await db.update(workflowRuns).set({ createdBy: toUserId }).where(inArray(workflowRuns.id, ids))
      }
      return ids.length
    },
  }
}

/** In the order in which they were queued; a person has a handful. */
function runsUnderWay(db: Db, { organizationId, userId }: Owner) {
  return db
    .select({ id: workflowRuns.id, name: workflows.name, status: workflowRuns.status })
    .from(workflowRuns)
    .innerJoin(workflows, eq(workflows.id, workflowRuns.workflowId))
    .where(
      and(
        eq(workflowRuns.organizationId, organizationId),
        eq(workflowRuns.createdBy, userId),
        inArray(workflowRuns.status, live),
      ),
    )
    .orderBy(asc(workflowRuns.queuedAt), asc(workflowRuns.id))
}
