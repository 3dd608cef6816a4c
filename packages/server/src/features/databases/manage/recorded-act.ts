import { entryOf, type Who } from '../../../platform/act.ts'
import { auditRow, insertAudit } from '../../../platform/audit/audit.ts'
import { databaseTarget } from '../present.ts'
import type { DatabaseRow } from '../store.ts'
import type { ManageParts } from './open-admin.ts'

type What = { action: string; diff: Record<string, unknown> }

/** Does something in a server after the intent is in the audit trail: what cannot be recorded is not done. */
export async function recordedAct<T>(
  { database }: Pick<ManageParts, 'database'>,
  caller: Who,
  row: DatabaseRow,
  { action, diff }: What,
  work: () => Promise<T>,
): Promise<T> {
  const entry = entryOf(caller, { action, class: 'execute', target: databaseTarget(row), diff })
  const intent = auditRow({ ...entry, outcome: 'unknown' })
  const write = (each: typeof intent) =>
    database.withTenant(caller.organizationId, (db) => insertAudit(db, [each]))
  const end = (outcome: 'success' | 'failure') => write(auditRow({ ...entry, outcome, intentId: intent.id }))
  await write(intent)
  try {
    const result = await work()
    await end('success')
    return result
  } catch (error) {
    await end('failure')
    throw error
  }
}
