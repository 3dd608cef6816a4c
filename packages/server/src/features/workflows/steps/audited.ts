import { type Act, entryOf } from '../../../platform/act.ts'
import { auditRow, insertAudit } from '../../../platform/audit/audit.ts'
import type { Database } from '../../../platform/db/database.ts'
import { type Mask, maskJson } from '../../../platform/masking/mask.ts'
import type { RunFacts } from '../definition/definition.ts'
import type { RunActor } from './run-actor.ts'

export type StepAct = Pick<Act, 'action' | 'class' | 'target' | 'diff'>

/**
 * Acts on something outside after the intent is in the audit trail, and records how it ended. What cannot be recorded
 * is not done. Secrets are taken out of what is written of it, such as out of the name of an object.
 */
export async function audited<T>(
  database: Pick<Database, 'withTenant'>,
  { id: runId, organizationId }: Pick<RunFacts, 'id' | 'organizationId'>,
  actor: RunActor,
  act: StepAct,
  mask: Mask,
  work: () => Promise<T>,
): Promise<T> {
  const entry = entryOf(actor, { ...act, ...(act.diff && { diff: maskJson(act.diff, mask) }), runId })
  const intent = auditRow({ ...entry, outcome: 'unknown' })
  const write = (row: typeof intent) => database.withTenant(organizationId, (db) => insertAudit(db, [row]))
  await write(intent)
  try {
    const result = await work()
    await write(auditRow({ ...entry, outcome: 'success', intentId: intent.id }))
    return result
  } catch (error) {
    await write(auditRow({ ...entry, outcome: 'failure', intentId: intent.id }))
    throw error
  }
}
