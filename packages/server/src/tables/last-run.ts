import { and, desc, gte, lte } from 'drizzle-orm'
import { QueryBuilder } from 'drizzle-orm/pg-core'

import { workflowRuns } from './workflow-runs.ts'
import { workflows } from './workflows.ts'

/**
 * The newest run of each row of `workflows`, for a lateral join. The workflow's row does not name it: every run
 * would write it, and runs of one workflow that begin together would wait for each other.
 *
 * "Equal" is said as a range, for then the index of the workflow's runs is the only one in the order asked for.
 * With an equality the planner may as well go back through the runs of the whole organization, which never ends
 * for a workflow that has not run.
 */
export const lastRun = new QueryBuilder()
  .select({ id: workflowRuns.id, status: workflowRuns.status, queuedAt: workflowRuns.queuedAt })
  .from(workflowRuns)
  .where(and(gte(workflowRuns.workflowId, workflows.id), lte(workflowRuns.workflowId, workflows.id)))
  .orderBy(desc(workflowRuns.workflowId), desc(workflowRuns.queuedAt), desc(workflowRuns.id))
  .limit(1)
  .as('last_run')
