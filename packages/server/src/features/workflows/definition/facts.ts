import { and, eq, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { lastRun } from '../../../tables/last-run.ts'
import { workflows } from '../../../tables/workflows.ts'

/** What is known of a workflow without its runs: what a lookup by id needs, where no statistics are shown. */
export async function findWorkflowFacts(db: Db, organizationId: number, id: string) {
  const rows = await db
    .select({ builtIn: workflows.builtIn, version: workflows.currentVersion })
    .from(workflows)
    .where(and(eq(workflows.organizationId, organizationId), eq(workflows.id, id)))
  return rows[0]
}

/** Status and time of the newest run; null where the workflow has none. */
export async function findLastRun(db: Db, organizationId: number, workflowId: string) {
  const rows = await db
    .select({ status: lastRun.status, queuedAt: lastRun.queuedAt })
    .from(workflows)
    .innerJoinLateral(lastRun, sql`true`)
    .where(and(eq(workflows.organizationId, organizationId), eq(workflows.id, workflowId)))
  return rows[0] ?? null
}
