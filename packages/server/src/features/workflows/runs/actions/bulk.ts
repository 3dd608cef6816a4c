import { isRunOver, roleHas, type Run, type RunStatus } from '@bey/contract'
import { and, asc, inArray } from 'drizzle-orm'

import { act, type Member } from '../../../../platform/act.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { keepReply } from '../../../../platform/http/kept-reply.ts'
import { workflowRuns } from '../../../../tables/workflow-runs.ts'
import { workflows } from '../../../../tables/workflows.ts'
import type { BuiltIns } from '../../definition/built-ins.ts'
import { definitionOf, type WorkflowParts } from '../../parts.ts'
import { runsWhere } from '../list.ts'
import { startRun } from '../starting/start-built-in.ts'
import { shownRun } from './act-on-run.ts'
import { bulkWorkflowKey } from './bulk-workflow.ts'

export type BulkAction = 'cancel' | 'retry'

type Filter = {
  workflowId?: string | undefined
  status?: RunStatus[] | undefined
  trigger?: string | undefined
  since?: string | undefined
  until?: string | undefined
  search?: string | undefined
  runIds?: string[] | undefined
}

const maxRuns = 1_000

/** Cancels or retries the runs of a filter, as a run of its own with a line for each. */
export function bulk(
  parts: WorkflowParts,
  builtIns: BuiltIns,
  who: Member,
  action: BulkAction,
  filter: Filter,
): Promise<{ run: Run; matched: number }> {
  const { organizationId, user } = who
  return parts.database.withTenant(organizationId, async (db) => {
    const runIds = await matching(parts, db, who, action, filter)
    if (runIds.length > maxRuns) {
      throw new AppError(
        'conflict',
        `More than ${maxRuns} runs match. Narrow the filter, for example by time.`,
      )
    }
    if (runIds.length === 0) throw new AppError('conflict', `No run matches that could be ${pastOf(action)}.`)
    const { workflowId, runId } = await startRun(parts, builtIns, db, {
      organizationId,
      workflowKey: bulkWorkflowKey,
      subject: null,
      input: { action, runIds },
      trigger: 'manual',
      createdBy: user.id,
    })
    const { row, run } = await shownRun(db, organizationId, workflowId, runId)
    const target = { type: 'workflow_run', id: runId, name: row.workflowName }
    const diff = { action, filter: { ...filter }, matched: runIds.length }
    await act(db, who, { action: 'workflow_run.bulk', class: 'execute', target, runId, diff })
    return keepReply(db, { run, matched: runIds.length })
  })
}

function pastOf(action: BulkAction): string {
  return action === 'cancel' ? 'cancelled' : 'retried'
}

/** Ids of the runs for which the action means something and that this person may act on; one more than are allowed. */
async function matching(
  parts: WorkflowParts,
  db: Db,
  { organizationId, role }: Member,
  action: BulkAction,
  { runIds, ...filter }: Filter,
): Promise<string[]> {
  const rows = await db
    .select({ id: workflowRuns.id, status: workflowRuns.status, workflowId: workflowRuns.workflowId })
    .from(workflowRuns)
    .where(
      and(
        runsWhere(organizationId, { ...filter, isOver: action === 'cancel' ? 'false' : 'true' }),
        runIds === undefined ? undefined : inArray(workflowRuns.id, runIds),
      ),
    )
    .orderBy(asc(workflowRuns.queuedAt), asc(workflowRuns.id))
    .limit(maxRuns * 2)
  const ids = [...new Set(rows.map(({ workflowId }) => workflowId))]
  const owners =
    ids.length === 0
      ? []
      : await db
          .select({ id: workflows.id, builtIn: workflows.builtIn })
          .from(workflows)
          .where(inArray(workflows.id, ids))
  const isAllowed = new Map(
    owners.map((workflow) => {
      if (workflow.builtIn === bulkWorkflowKey) return [workflow.id, false]
      const needed = definitionOf(parts, workflow)?.cancelPermission
      const mayCancel = needed === undefined || roleHas(role, needed)
      return [workflow.id, action === 'cancel' ? mayCancel : workflow.builtIn === null]
    }),
  )
  return rows
    .filter(({ status, workflowId }) => isAllowed.get(workflowId) === true && appliesTo(action, status))
    .slice(0, maxRuns + 1)
    .map(({ id }) => id)
}

function appliesTo(action: BulkAction, status: RunStatus): boolean {
  if (action === 'cancel') return !isRunOver(status) && status !== 'cancelling'
  return isRunOver(status) && status !== 'completed'
}
