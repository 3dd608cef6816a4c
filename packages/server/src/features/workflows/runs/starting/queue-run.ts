import type { StepGuaranteeName } from '@bey/contract'

import { uuidv7 } from '../../../../platform/crypto/uuid.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { statement } from '../../../../platform/db/prepared.ts'
import { linkToRun } from '../../../../platform/tracing/tracing.ts'
import type { Json } from '../../definition/definition.ts'

export type QueuedRun = {
  id: string
  organizationId: number
  workflowId: string
  input: Json
  trigger: string
  subject: { type: string; id: string } | null
  createdBy: number | null
  keyId: string | null
  authorKeyIds?: readonly string[] | undefined
  queuedAt: Date
  steps: readonly {
    key: string
    name: string
    type: string
    guarantee: StepGuaranteeName
    needs: readonly string[]
  }[]
  version?: number | undefined
  triggerId?: string | undefined
  triggerName?: string | undefined
  parent?: { runId: string; stepKey: string } | undefined
  retryOf?: string | undefined
  /** Counts from 1: how often the run that was retried first has been tried with this one. */
  attempt?: number | undefined
  priority?: number | undefined
  concurrency?: { key: string; max: number } | undefined
  expiresAt?: Date | undefined
  startKey?: string | undefined
}

const insertRun = statement<{ id: string }>(
  'run_queue',
  `with run as (
    insert into workflow_runs (id, organization_id, workflow_id, input, trigger, subject_type, subject_id, created_by,
      queued_at, workflow_version, trigger_id, trigger_name, parent_run_id, parent_step_key, retry_of, attempt, priority,
      concurrency_key, concurrency_max, expires_at, start_key, key_id, author_key_ids)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)
    on conflict (workflow_id, start_key) where start_key is not null do nothing
    returning id
  ), steps as (
    insert into step_runs (id, organization_id, run_id, key, name, type, guarantee, position, needs)
    select s.id, $2, run.id, s.key, s.name, s.type, s.guarantee, s.position, s.needs
    from run, jsonb_to_recordset($10::jsonb)
      s(id uuid, key text, name text, type text, guarantee text, position int, needs text[])
  )
  select id from run`,
)

/** Makes a run with its steps; false where the same start made one before. */
export async function queueRun(db: Db, run: QueuedRun): Promise<boolean> {
  const steps = run.steps.map((step, position) => ({ id: uuidv7(), ...step, position }))
  const rows = await insertRun(db, [
    run.id,
    run.organizationId,
    run.workflowId,
    JSON.stringify(run.input),
    run.trigger,
    run.subject?.type ?? null,
    run.subject?.id ?? null,
    run.createdBy,
    run.queuedAt,
    JSON.stringify(steps),
    run.version ?? null,
    run.triggerId ?? null,
    run.triggerName ?? null,
    run.parent?.runId ?? null,
    run.parent?.stepKey ?? null,
    run.retryOf ?? null,
    run.attempt ?? 1,
    run.priority ?? 0,
    run.concurrency?.key ?? null,
    run.concurrency?.max ?? 1,
    run.expiresAt ?? null,
    run.startKey ?? null,
    run.keyId,
    run.authorKeyIds ?? [],
  ])
  if (rows.length === 0) return false
  linkToRun(run.id)
  return true
}

/**
 * Takes over the steps of an earlier run ($2) of the same workflow ($3) into a new one ($1): those before its first step
 * that did not succeed, with their output and their times. Nothing where every step had succeeded.
 */
export const keepSucceededSteps = statement(
  'run_keep_steps',
  `update step_runs s set status = 'succeeded', progress_percent = 100, attempt = o.attempt, output = o.output,
    started_at = o.started_at, finished_at = o.finished_at
  from step_runs o join workflow_runs r on r.id = o.run_id
  where s.run_id = $1 and o.run_id = $2 and r.workflow_id = $3 and o.key = s.key and o.position < (
    select min(position) from step_runs where run_id = $2 and status <> 'succeeded')`,
)
