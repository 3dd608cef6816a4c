import { and, eq, inArray, isNull } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { workflows } from '../../../tables/workflows.ts'
import type { DatabaseRow } from '../store.ts'

/**
 * Throws AppError `conflict` while the run that creates a database makes its first backup: the database is available then, and
 * what stops or changes its server would fail that run.
 */
export async function requireCreated(db: Db, { organizationId, id, name }: DatabaseRow): Promise<void> {
  const [found] = await db
    .select({ id: workflowRuns.id })
    .from(workflowRuns)
    .innerJoin(workflows, eq(workflows.id, workflowRuns.workflowId))
    .where(
      and(
        eq(workflowRuns.organizationId, organizationId),
        eq(workflowRuns.subjectType, 'database'),
        eq(workflowRuns.subjectId, id),
        isNull(workflowRuns.finishedAt),
        inArray(workflows.builtIn, ['database.create', 'database.cluster_create']),
      ),
    )
    .limit(1)
  if (found === undefined) return
  throw new AppError(
    'conflict',
    `The database "${name}" was left alone: it is backed up for the first time. Wait until that is done, or cancel the run of its creation.`,
  )
}
