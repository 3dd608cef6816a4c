import type { Permission } from '@bey/contract'
import { z } from 'zod'

import { uuidOfKey } from './key-uuid.ts'
import type { ProofKind, StepParts } from './ports.ts'
import { actorOf } from './run-actor.ts'
import type { ActionContext } from './step-type.ts'

const pollMs = 500

export const databaseField = z.string().min(1).max(200).meta({
  title: 'Database',
  description: 'Name or id of a database of this organization.',
  'x-widget': 'database',
})

/**
 * Begins a backup or drill in the name of the person who started the run, and waits for its end. Its id follows from the step,
 * so that a repetition waits for the one that was begun before.
 */
export async function waitForProof(
  { database, databaseProofs }: Pick<StepParts, 'database' | 'databaseProofs'>,
  context: ActionContext,
  kind: ProofKind,
  name: string,
  permission: Permission,
): Promise<Record<string, unknown>> {
  const { run, idempotencyKey } = context
  const actor = await actorOf(database, run, permission)
  const id = uuidOfKey(idempotencyKey)
  const { runId } = await databaseProofs.begin(kind, id, name, actor, (needed, touched) =>
    actorOf(database, run, needed, touched),
  )
  context.log(`Waiting for the run ${runId}.`)
  for (;;) {
    const outcome = await databaseProofs.outcome(kind, run.organizationId, id)
    if (outcome !== undefined) return { ...outcome, run: runId }
    await context.sleep(pollMs)
  }
}
