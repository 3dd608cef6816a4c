import { and, eq, isNull, sql } from 'drizzle-orm'

import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { entitySource, type InventorySource, staleAt } from '../../platform/inventory.ts'
import { lastRun } from '../../tables/last-run.ts'
import { users } from '../../tables/users.ts'
import { workflows } from '../../tables/workflows.ts'

/** Workflows for the inventory; built-in ones are called stale never: nobody made them. Their tags are labels. */
export function workflowResources(database: Pick<Database, 'readTenant'>, clock: Clock): InventorySource {
  return entitySource(database, 'workflow', async (db, { organizationId }) => {
    const rows = await db
      .select({
        id: workflows.id,
        name: workflows.name,
        tags: workflows.tags,
        builtIn: workflows.builtIn,
        lastRunAt: lastRun.queuedAt,
        createdBy: workflows.createdBy,
        createdByName: users.name,
        createdAt: workflows.createdAt,
      })
      .from(workflows)
      .leftJoin(users, eq(users.id, workflows.createdBy))
      .leftJoinLateral(lastRun, sql`true`)
      .where(and(eq(workflows.organizationId, organizationId), isNull(workflows.deletedAt)))
    const { isStale } = staleAt(clock)
    return rows.map(({ tags, ...row }) => {
      const isMarked = row.builtIn === null && isStale([row.createdAt, row.lastRunAt])
      return {
        ...row,
        labels: Object.fromEntries(tags.map((tag) => [tag, ''])),
        marks: isMarked ? (['stale'] as const) : [],
      }
    })
  })
}
