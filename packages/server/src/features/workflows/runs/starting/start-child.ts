import { type Role, workflowLimits } from '@bey/contract'
import { and, eq, isNull, or, sql } from 'drizzle-orm'

import type { Db } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { memberships } from '../../../../tables/memberships.ts'
import { workflows } from '../../../../tables/workflows.ts'
import type { StartChild } from '../../engine/start-child.ts'
import type { WorkflowParts } from '../../parts.ts'
import { startWorkflowRun } from './start-workflow-run.ts'

/**
 * Starts the runs of sub-workflows, at most ten within each other. Their steps must be allowed to the person who started the outer
 * run, and to the API keys that started it or saved what it executes.
 */
export function createStartChild(parts: WorkflowParts): StartChild {
  return async (db, { run, stepKey, workflow, version, input }) => {
    const { organizationId, id, createdBy, keyId = null, authorKeyIds = [] } = run
    if ((await depthOf(db, id)) >= workflowLimits.depth) {
      throw new AppError(
        'conflict',
        `Sub-workflows may be ${workflowLimits.depth} deep. Does a workflow start itself?`,
      )
    }
    const workflowId = await findByIdOrName(db, organizationId, workflow)
    const started = await startWorkflowRun(parts, db, {
      organizationId,
      workflowId,
      version,
      input,
      trigger: 'system',
      createdBy,
      keyId,
      authorKeyIds,
      role: await roleOfStarter(db, organizationId, createdBy),
      parent: { runId: id, stepKey },
    })
    if (started.kind === 'skipped') throw new AppError('conflict', started.reason)
    return started
  }
}

async function findByIdOrName(db: Db, organizationId: number, workflow: string): Promise<string> {
  const [found] = await db
    .select({ id: workflows.id })
    .from(workflows)
    .where(
      and(
        eq(workflows.organizationId, organizationId),
        isNull(workflows.deletedAt),
        or(sql`${workflows.id}::text = ${workflow}`, eq(workflows.name, workflow)),
      ),
    )
    .limit(1)
  if (found === undefined) throw new AppError('not_found', `There is no workflow "${workflow}".`)
  return found.id
}

/**
 * The role that the person who started the outer run has now: a workflow must not do for them what they may not do themselves.
 * Who is no member any more has the least.
 */
async function roleOfStarter(db: Db, organizationId: number, userId: number | null): Promise<Role> {
  if (userId === null) return 'VIEWER'
  const [member] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)))
  return member?.role ?? 'VIEWER'
}

/** How many runs a run is within. */
async function depthOf(db: Db, runId: string): Promise<number> {
  const { rows } = await db.execute<{ depth: number }>(sql`
    with recursive parents as (
      select id, parent_run_id, 0 as depth from workflow_runs where id = ${runId}
      union all
      select r.id, r.parent_run_id, p.depth + 1 from workflow_runs r join parents p on r.id = p.parent_run_id
      where p.depth < 50
    )
    select max(depth)::int as depth from parents`)
  return rows[0]?.depth ?? 0
}
