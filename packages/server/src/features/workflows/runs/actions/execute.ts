import type { Run } from '@bey/contract'

import { act, type Member } from '../../../../platform/act.ts'
import { AppError } from '../../../../platform/errors.ts'
import { keepReply } from '../../../../platform/http/kept-reply.ts'
import type { Json } from '../../definition/definition.ts'
import type { WorkflowParts } from '../../parts.ts'
import { startWorkflowRun } from '../starting/start-workflow-run.ts'
import { shownRun } from './act-on-run.ts'

type Start = { input: Json; version?: number | undefined; priority?: number | undefined }

/** Starts a run of a workflow for a person. */
export function execute(
  parts: WorkflowParts,
  who: Member,
  workflowId: string,
  { input, version, priority }: Start,
): Promise<{ run: Run }> {
  const { organizationId, user, role } = who
  return parts.database.withTenant(organizationId, async (db) => {
    const started = await startWorkflowRun(parts, db, {
      organizationId,
      workflowId,
      input,
      version,
      priority,
      trigger: 'manual',
      createdBy: user.id,
      role,
    })
    if (started.kind === 'skipped') throw new AppError('conflict', started.reason)
    const { runId } = started
    const { row, run } = await shownRun(db, organizationId, workflowId, runId)
    const target = { type: 'workflow', id: workflowId, name: row.workflowName }
    await act(db, who, {
      action: 'workflow.execute',
      class: 'execute',
      target,
      runId,
      diff: { version: row.version },
    })
    return keepReply(db, { run })
  })
}
