import { type Act, entryOf as entryBy, serverItself } from '../../../platform/act.ts'
import { type AuditEntry, auditRow, insertAudit } from '../../../platform/audit/audit.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { SyncRow } from './store.ts'

type SyncAct = Pick<Act, 'action' | 'class' | 'diff'>

function entryOf(sync: SyncRow, secretName: string, act: SyncAct): AuditEntry {
  const { organizationId, secretId, clusterTitle, namespace, name } = sync
  return entryBy(serverItself(organizationId), {
    ...act,
    target: { type: 'secret', id: secretId, name: secretName },
    diff: { cluster: clusterTitle, namespace, name, ...act.diff },
  })
}

/** What is about to be done to a cluster; committed before it is, and its outcome recorded after. */
export async function recordIntent(
  database: Database,
  sync: SyncRow,
  secretName: string,
  act: SyncAct,
): Promise<(db: Db, outcome: 'success' | 'failure', error?: string) => Promise<void>> {
  const entry = entryOf(sync, secretName, act)
  const intent = auditRow({ ...entry, outcome: 'unknown' })
  await database.withTenant(sync.organizationId, (db) => insertAudit(db, [intent]))
  return (db, outcome, error) => {
    const diff = error === undefined ? entry.diff : { ...entry.diff, error }
    return insertAudit(db, [auditRow({ ...entry, diff: diff ?? {}, outcome, intentId: intent.id })])
  }
}

/** What was found or done without touching a cluster. */
export function recordFinding(db: Db, sync: SyncRow, secretName: string, act: SyncAct): Promise<void> {
  return insertAudit(db, [auditRow(entryOf(sync, secretName, act))])
}
