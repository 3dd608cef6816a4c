import type { Run } from '@bey/contract'

import { AppError } from '../../../platform/errors.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import type { Json } from '../definition.ts'
import type { WorkflowParts } from '../parts.ts'
import { startWorkflowRun } from '../starting/start-workflow-run.ts'
import { type Actor, recordAct, shownRun } from './act-on-run.ts'

type Start = { input: Json; version?: number | undefined; priority?: number | undefined }

/** Starts a run of a workflow for a person. */
export function execute(
  parts: WorkflowParts,
  who: Actor,
  workflowId: string,
  { input, version, priority }: Start,
): Promise<{ run: Run }> {
  const { organizationId, userId, role } = who
  return parts.database.withTenant(organizationId, async (db) => {
    const started = await startWorkflowRun(parts, db, {
      organizationId,
      workflowId,
      input,
      version,
      priority,
      trigger: 'manual',
      createdBy: userId,
      role,
    })
    if (started.kind === 'skipped') throw new AppError('conflict', started.reason)
    const { runId } = started
    const { row, run } = await shownRun(db, organizationId, workflowId, runId)
    const target = { type: 'workflow', id: workflowId, name: row.workflowName }
    await recordAct(db, who, { action: 'workflow.execute', target, runId, diff: { version: row.version } })
    return keepReply(db, { run })
  })
}
