import { act, type Who } from '../../../platform/act.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Publish } from '../ports.ts'
import { findLastRun } from './facts.ts'

const acts = {
  created: { action: 'workflow.create', class: 'create' },
  saved: { action: 'workflow.update', class: 'update' },
  state: { action: 'workflow.state', class: 'update' },
  deleted: { action: 'workflow.delete', class: 'delete' },
  restored: { action: 'workflow.restore', class: 'update' },
  purged: { action: 'workflow.purge', class: 'delete' },
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
  who: Who,
  { change, workflow, diff }: Change,
): Promise<void> {
  const { organizationId } = who
  const last = await findLastRun(db, organizationId, workflow.id)
  const data = {
    workflowId: workflow.id,
    status: last?.status ?? ('idle' as const),
    lastRunAt: last?.queuedAt.toISOString() ?? null,
    change: change === 'purged' ? ('deleted' as const) : change,
  }
  await publish(db, [{ organizationId, type: 'WORKFLOW_UPDATE', data }])
  await act(db, who, { ...acts[change], target: { type: 'workflow', ...workflow }, diff })
}
