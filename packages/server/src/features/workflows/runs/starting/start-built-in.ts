import { needsOf } from '@bey/contract'

import { uuidv7 } from '../../../../platform/crypto/uuid.ts'
import type { Db } from '../../../../platform/db/database.ts'
import { currentKey } from '../../../../platform/keys/key-rights.ts'
import type { BuiltIns } from '../../definition/built-ins.ts'
import type { StartRun, WorkflowParts } from '../../parts.ts'
import { runEvents } from '../events.ts'
import { keepSucceededSteps, queueRun } from './queue-run.ts'

/** Queues a run of a built-in workflow inside the caller's transaction; it begins after the commit, or never. */
export async function startRun(
  parts: WorkflowParts,
  builtIns: BuiltIns,
  db: Db,
  start: StartRun,
): Promise<{ workflowId: string; runId: string }> {
  const definition = parts.definitions.get(start.workflowKey)
  if (definition === undefined) throw new Error(`There is no workflow "${start.workflowKey}"`)
  const { organizationId } = start
  const workflowId = await builtIns.idOf(db, organizationId, start.workflowKey)
  const runId = uuidv7()
  const queuedAt = parts.clock.now()
  await Promise.all([
    queueRun(db, {
      id: runId,
      organizationId,
      workflowId,
      input: start.input,
      trigger: start.trigger,
      subject: start.subject,
      createdBy: start.createdBy,
      keyId: currentKey()?.id ?? null,
      queuedAt,
      steps: definition.steps.map(({ key, name, type, guarantee }, index, steps) => {
        return { key, name, type, guarantee, needs: needsOf(steps, index) }
      }),
    }),
    start.resumeFrom && keepSucceededSteps(db, [runId, start.resumeFrom, workflowId]),
    parts.engine.enqueue(db, runId),
    parts.publish(db, runEvents({ ...start, id: runId, workflowId, queuedAt }, 'queued', 0, false)),
  ])
  return { workflowId, runId }
}
