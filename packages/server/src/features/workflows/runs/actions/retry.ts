import { isRunOver, keptNote, type Role, type Run } from '@bey/contract'
import { eq, sql } from 'drizzle-orm'

import { act, type Member } from '../../../../platform/act.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { keepReply } from '../../../../platform/http/kept-reply.ts'
import { workflowRuns } from '../../../../tables/workflow-runs.ts'
import type { Json } from '../../definition/definition.ts'
import { readVersion } from '../../engine/plan.ts'
import { missing, type WorkflowParts } from '../../parts.ts'
import { readSteps } from '../store.ts'
import { startWorkflowRun } from '../starting/start-workflow-run.ts'
import { findWorkflowFacts } from '../../definition/facts.ts'
import { shownRun } from './act-on-run.ts'
import { keptSteps } from './kept-steps.ts'

export type RetryOptions = {
  mode: 'from_failed' | 'from_step' | 'from_start'
  stepKey?: string | undefined
  input?: Json | undefined
  version: 'pinned' | 'latest'
}

type RetryRun = {
  organizationId: number
  runId: string
  createdBy: number | null
  keyId?: string | null | undefined
  role?: Role | undefined
  /** What the retry is called: the same words make one run only. */
  startKey?: string
}

/** Retries a run for a person: a new run that keeps the recorded results of the old one as far as asked. */
export function retry(
  parts: WorkflowParts,
  who: Member,
  { workflowId, runId }: { workflowId: string; runId: string },
  options: RetryOptions,
): Promise<{ run: Run }> {
  const { organizationId, user, role } = who
  return parts.database.withTenant(organizationId, async (db) => {
    const { row } = await shownRun(db, organizationId, workflowId, runId)
    const started = await retryRun(parts, db, { organizationId, runId, createdBy: user.id, role }, options)
    const { run } = await shownRun(db, organizationId, workflowId, started.runId)
    const target = { type: 'workflow_run', id: runId, name: row.workflowName }
    const diff = { mode: options.mode, version: run.version, kept: started.kept, retryRunId: started.runId }
    await act(db, who, { action: 'workflow_run.retry', class: 'execute', target, runId: started.runId, diff })
    return keepReply(db, { run })
  })
}

/** The same in the caller's transaction. Throws AppError for what cannot be retried, and why. */
export async function retryRun(
  parts: WorkflowParts,
  db: Db,
  { organizationId, runId, createdBy, keyId, role, startKey }: RetryRun,
  { mode, stepKey, input, version }: RetryOptions,
): Promise<{ runId: string; kept: number }> {
  const old = await findOld(db, runId)
  if (!isRunOver(old.status))
    throw new AppError('conflict', 'The run has not ended yet. Cancel it or wait for its end.')
  if (old.version === null) {
    throw new AppError('conflict', 'This run belongs to the product: start it again from what it works on.')
  }
  const workflow = (await findWorkflowFacts(db, organizationId, old.workflowId)) ?? missing('workflow')
  const target = version === 'latest' ? workflow.version : old.version
  const before = await readVersion(db, old.workflowId, old.version)
  const definition = await readVersion(db, old.workflowId, target)
  if (before === undefined || definition === undefined) return missing('workflow')
  const steps = await readSteps(db, runId)
  if (mode === 'from_failed' && steps.every(({ status }) => status === 'succeeded' || status === 'skipped')) {
    throw new AppError('conflict', 'No step of the run failed. Retry it from the start or from a step.')
  }
  if (mode === 'from_step' && !definition.steps.some(({ key }) => key === stepKey)) {
    throw new AppError('invalid_request', 'Name a step of the workflow.', {
      errors: [{ path: 'step_key', message: 'There is no step of this name.' }],
    })
  }
  const kept =
    mode === 'from_start'
      ? []
      : keptSteps(definition, before, steps, mode === 'from_step' ? stepKey : undefined)
  const started = await startWorkflowRun(parts, db, {
    organizationId,
    workflowId: old.workflowId,
    input: input ?? old.input,
    version: target,
    trigger: 'manual',
    createdBy,
    ...(keyId === undefined ? {} : { keyId }),
    ...(role === undefined ? {} : { role }),
    ...(startKey === undefined ? {} : { idempotencyKey: startKey }),
    retryOf: { runId, attempt: old.attempt + 1 },
  })
  if (started.kind === 'skipped') throw new AppError('conflict', started.reason)
  if (started.kind === 'started') await keepResults(db, started.runId, runId, kept)
  return { runId: started.runId, kept: kept.length }
}

async function findOld(db: Db, runId: string) {
  const [old] = await db
    .select({
      workflowId: workflowRuns.workflowId,
      status: workflowRuns.status,
      version: workflowRuns.workflowVersion,
      input: workflowRuns.input,
      attempt: workflowRuns.attempt,
    })
    .from(workflowRuns)
    .where(eq(workflowRuns.id, runId))
  return old ?? missing('workflow run')
}

// The new run's engine finds them recorded and executes what is not.
async function keepResults(db: Db, runId: string, oldId: string, keys: readonly string[]): Promise<void> {
  await db.execute(sql`
    update step_runs s set status = o.status, progress_percent = 100, attempt = o.attempt, input = o.input,
      output = o.output, guarantee = o.guarantee,
      note = case when o.status = 'skipped' and o.note <> '' then o.note else ${keptNote(oldId)} end,
      started_at = o.started_at, finished_at = o.finished_at
    from step_runs o
    where s.run_id = ${runId} and o.run_id = ${oldId} and o.key = s.key
      and o.key in (select jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb))`)
}
