import type { WorkflowDefinitionBody } from '@bey/contract'
import { sql } from 'drizzle-orm'

import type { Db } from '../../../../platform/db/database.ts'
import { lockUntilCommit } from '../../../../platform/db/locks.ts'
import { AppError } from '../../../../platform/errors.ts'
import type { Json } from '../../definition/definition.ts'
import { ExpressionError } from '../../definition/expressions/expression-error.ts'
import { refuseSecrets, renderTemplate } from '../../definition/expressions/render.ts'
import type { WorkflowParts } from '../../parts.ts'
import { cancelRun } from '../cancel.ts'

type Claim = {
  organizationId: number
  workflowId: string
  definition: WorkflowDefinitionBody
  input: Json
  createdBy: number | null
}

/** Applies the concurrency of a workflow to a run that is about to start, in the transaction that queues it. */
export async function claimConcurrency(
  parts: WorkflowParts,
  db: Db,
  { workflowId, definition: { concurrency }, input, createdBy }: Claim,
): Promise<{ kind: 'go'; limit?: { key: string; max: number } } | { kind: 'skip'; reason: string }> {
  if (concurrency === undefined) return { kind: 'go' }
  const key = await keyOf(concurrency.key, input)
  const limit = { key, max: concurrency.max }
  // The dispatcher lets them begin one after another.
  if (concurrency.onLimit === 'queue') return { kind: 'go', limit }
  await lockUntilCommit(db, 'runConcurrency', `${workflowId}:${key}`)
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from workflow_runs
    where workflow_id = ${workflowId} and concurrency_key = ${key} and finished_at is null
    order by queued_at, id`)
  if (rows.length < concurrency.max) return { kind: 'go', limit }
  if (concurrency.onLimit === 'skip') {
    return { kind: 'skip', reason: `A run with the concurrency key "${key}" has not ended yet.` }
  }
  const replaced = rows.slice(0, 1 + rows.length - concurrency.max)
  for (const { id } of replaced) await cancelRun(parts, db, id, { userId: createdBy })
  return { kind: 'go', limit }
}

async function keyOf(template: string, inputs: Json): Promise<string> {
  try {
    return String(await renderTemplate(template, { inputs }, refuseSecrets)).slice(0, 500)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    throw new AppError('invalid_request', `The concurrency key of the workflow: ${error.message}`)
  }
}
