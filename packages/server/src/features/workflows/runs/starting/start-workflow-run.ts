import { guaranteeOf, needsOf, type Role, type WorkflowDefinitionBody } from '@bey/contract'
import { and, eq, sql } from 'drizzle-orm'

import { uuidv7 } from '../../../../platform/crypto/uuid.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { currentKey } from '../../../../platform/keys/key-rights.ts'
import { requireNoPause } from '../../../../platform/run-pause.ts'
import { workflowRuns } from '../../../../tables/workflow-runs.ts'
import { workflows } from '../../../../tables/workflows.ts'
import type { Json } from '../../definition/definition.ts'
import { readSavedVersion } from '../../engine/plan.ts'
import { missing, type WorkflowParts } from '../../parts.ts'
import { runEvents } from '../events.ts'
import { checkedInput } from './check-input.ts'
import { claimConcurrency } from './claim-concurrency.ts'
import { queueRun } from './queue-run.ts'
import { requireStepPermissions, requireStepsOfKeys } from '../../steps/step-permissions.ts'

export type StartWorkflowRun = {
  organizationId: number
  workflowId: string
  input: Json
  trigger: 'manual' | 'schedule' | 'webhook' | 'event' | 'system'
  triggerId?: string
  triggerName?: string
  createdBy: number | null
  /** The API key whose permissions bound the run; that of the present request unless given. */
  keyId?: string | null
  /** The API keys that saved what the outer run executes. */
  authorKeyIds?: readonly string[]
  /** Role of the person who starts it, where the types of its steps have to be allowed to them. */
  role?: Role
  /** What a trigger calls the start: the same key starts one run of the workflow only. */
  idempotencyKey?: string
  /** The current one unless given. */
  version?: number | undefined
  priority?: number | undefined
  parent?: { runId: string; stepKey: string }
  retryOf?: { runId: string; attempt: number }
}

export type StartedRun =
  | { kind: 'started'; workflowId: string; runId: string }
  /** The same key has started this one before. */
  | { kind: 'repeated'; workflowId: string; runId: string }
  /** The concurrency of the workflow leaves no room, and it says to skip. */
  | { kind: 'skipped'; workflowId: string; reason: string }

/**
 * Queues a run of a workflow of one's own inside the caller's transaction; it begins after the commit, or never. Throws
 * AppError: `not_found`, `conflict` where its state does not allow it, `invalid_request` for input that does not fit,
 * `forbidden` where a step needs a role that the starter does not have.
 */
export async function startWorkflowRun(
  parts: WorkflowParts,
  db: Db,
  start: StartWorkflowRun,
): Promise<StartedRun> {
  const { organizationId, workflowId } = start
  const workflow = await findStartable(db, start)
  // Parts of a run that is under way go on, and what the server starts by itself, such as rotations of secrets.
  if (start.trigger === 'manual' || start.triggerId !== undefined) await requireNoPause(db, organizationId)
  const version = start.version ?? workflow.version
  const saved = await readSavedVersion(db, workflowId, version)
  if (saved === undefined) {
    throw new AppError('not_found', `The workflow "${workflow.name}" has no version ${version}.`)
  }
  const { definition } = saved
  const keyId = start.keyId === undefined ? (currentKey()?.id ?? null) : start.keyId
  const authorKeyIds = [...new Set([...(start.authorKeyIds ?? []), ...(saved.keyId ? [saved.keyId] : [])])]
  if (start.role !== undefined) {
    requireStepPermissions(parts.stepTypes, definition, start.role)
    const executes = { workflowId, version }
    const keys = { organizationId, keyId, authorKeyIds, runId: start.parent?.runId, executes }
    await requireStepsOfKeys(db, parts.stepTypes, definition, keys)
  }
  const input = checkedInput(definition.inputSchema, start.input)
  const concurrency = await claimConcurrency(parts, db, {
    organizationId,
    workflowId,
    definition,
    input,
    createdBy: start.createdBy,
  })
  if (concurrency.kind === 'skip') return { kind: 'skipped', workflowId, reason: concurrency.reason }
  const runId = uuidv7()
  const queuedAt = parts.clock.now()
  const { queueTimeoutMs } = definition
  const isNew = await queueRun(db, {
    id: runId,
    organizationId,
    workflowId,
    input,
    trigger: start.trigger,
    subject: null,
    createdBy: start.createdBy,
    keyId,
    authorKeyIds,
    queuedAt,
    steps: stepsOf(parts, definition),
    version,
    triggerId: start.triggerId,
    triggerName: start.triggerName,
    parent: start.parent,
    retryOf: start.retryOf?.runId,
    attempt: start.retryOf?.attempt,
    priority: start.priority ?? definition.priority,
    concurrency: concurrency.limit,
    expiresAt: queueTimeoutMs === undefined ? undefined : new Date(queuedAt.getTime() + queueTimeoutMs),
    startKey: start.idempotencyKey,
  })
  if (!isNew) return { kind: 'repeated', workflowId, runId: await runOfKey(db, start) }
  const facts = { ...start, id: runId, workflowKey: '', subject: null, input, queuedAt }
  await Promise.all([
    parts.engine.enqueue(db, runId),
    parts.publish(db, runEvents(facts, 'queued', 0, false)),
  ])
  return { kind: 'started', workflowId, runId }
}

async function findStartable(db: Db, { organizationId, workflowId, trigger }: StartWorkflowRun) {
  const [workflow] = await db
    .select({
      name: workflows.name,
      state: workflows.state,
      deletedAt: workflows.deletedAt,
      builtIn: workflows.builtIn,
      version: workflows.currentVersion,
    })
    .from(workflows)
    .where(and(eq(workflows.organizationId, organizationId), eq(workflows.id, workflowId)))
  if (workflow === undefined) return missing('workflow')
  const { name, state, deletedAt } = workflow
  if (workflow.builtIn !== null) {
    throw new AppError('conflict', `"${name}" is part of the product and is started by what it works on.`)
  }
  if (deletedAt !== null) {
    throw new AppError('conflict', `The workflow "${name}" is deleted. Restore it before you run it.`)
  }
  if (state === 'archived') {
    throw new AppError('conflict', `The workflow "${name}" is archived. Activate it before you run it.`)
  }
  if (state !== 'active' && trigger !== 'manual' && trigger !== 'system') {
    throw new AppError('conflict', `The workflow "${name}" is ${state === 'paused' ? 'paused' : 'a draft'}.`)
  }
  return workflow
}

function stepsOf(parts: WorkflowParts, { steps }: WorkflowDefinitionBody) {
  return steps.map(({ key, name, type, config }, index) => {
    return {
      key,
      name,
      type,
      guarantee: guaranteeOf(parts.stepTypes.get(type)?.guarantee, config),
      needs: needsOf(steps, index),
    }
  })
}

async function runOfKey(db: Db, { workflowId, idempotencyKey }: StartWorkflowRun): Promise<string> {
  const [run] = await db
    .select({ id: workflowRuns.id })
    .from(workflowRuns)
    .where(
      sql`${eq(workflowRuns.workflowId, workflowId)} and ${workflowRuns.startKey} = ${idempotencyKey ?? ''}`,
    )
  return run?.id ?? missing('workflow run')
}
