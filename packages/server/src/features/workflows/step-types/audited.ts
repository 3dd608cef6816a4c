import { type AuditEntry, auditRow, insertAudit } from '../../../platform/audit/audit.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { RunFacts } from '../definition.ts'
import type { RunActor } from './run-actor.ts'

export type StepAct = Pick<AuditEntry, 'action' | 'class' | 'target' | 'diff'>

/**
 * Acts on something outside after the intent is in the audit trail, and records how it ended. What cannot be recorded
 * is not done.
 */
export async function audited<T>(
  database: Pick<Database, 'withTenant'>,
  { id: runId, organizationId }: Pick<RunFacts, 'id' | 'organizationId'>,
  { userId, name }: Pick<RunActor, 'userId' | 'name'>,
  act: StepAct,
  work: () => Promise<T>,
): Promise<T> {
  const entry = {
    organizationId,
    actor: { type: 'user', id: userId, display: name },
    via: 'workflow',
    runId,
    ...act,
  } as const
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
