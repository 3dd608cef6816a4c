import { audit } from '../../../platform/audit/audit.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Who } from '../parts.ts'
import type { Publish } from '../ports.ts'
import { findWorkflow } from '../store.ts'

export type Author = Who & { organizationId: number }

const acts = {
  created: { action: 'workflow.create', class: 'create' },
  saved: { action: 'workflow.update', class: 'update' },
  state: { action: 'workflow.state', class: 'update' },
  deleted: { action: 'workflow.delete', class: 'delete' },
} as const

type Change = {
  change: keyof typeof acts
  workflow: { id: string; name: string }
  diff: Record<string, unknown>
}

/** Publishes and audits a change of a workflow in the transaction that makes it. */
export async function recordChange(
  db: Db,
  publish: Publish,
  who: Author,
  { change, workflow, diff }: Change,
): Promise<void> {
  const { organizationId, ip, userAgent, requestId, via } = who
  const row = await findWorkflow(db, organizationId, workflow.id)
  const data = {
    workflowId: workflow.id,
    status: row?.lastRunStatus ?? ('idle' as const),
    lastRunAt: row?.lastRunAt?.toISOString() ?? null,
    change,
  }
  await publish(db, [{ organizationId, type: 'WORKFLOW_UPDATE', data }])
  await audit(db, {
    organizationId,
    actor: { type: 'user', id: who.userId, display: who.name },
    via,
    ...acts[change],
    target: { type: 'workflow', ...workflow },
    ip,
    userAgent,
    requestId,
    diff,
  })
}
