import { asc } from 'drizzle-orm'
import { openAllValues } from './features/secrets/open-all.ts'
import { audit } from './platform/audit/audit.ts'
import { type AuditVerdict, verifyAudit } from './platform/audit/verify.ts'
import { createDataKeys } from './platform/crypto/data-keys.ts'
import { checkRootKey, type RootKey } from './platform/crypto/root-key.ts'
import type { Database } from './platform/db/database.ts'
import { organizations } from './tables/organizations.ts'

/**
 * Opens every secret value of every organization and checks every audit chain, before and after. Calls `print` with
 * a line for each organization and one for each fault; answers whether all of it held. Throws ConfigError where the root
 * key is not the one of this database. Each organization finds an entry about it in its audit log.
 */
export async function verifyEverything(
  database: Database,
  rootKey: RootKey,
  print: (line: string) => void,
): Promise<boolean> {
  await checkRootKey(database, rootKey)
  print(`Root key ${rootKey.fingerprint} belongs to this database.`)
  const all = await database.asSystem('verify the secrets of every organization', (db) =>
    db
      .select({ id: organizations.id, name: organizations.name })
      .from(organizations)
      .orderBy(asc(organizations.id)),
  )
  const dataKeys = createDataKeys(rootKey)
  let isGood = isIntact('Server', await verdictOf(database, 0), print)
  for (const { id, name } of all) {
    const label = `${name} (${id})`
    const before = await verdictOf(database, id)
    const { versions, opened, failed } = await openAllValues({ database, dataKeys }, id)
    const after = await verdictOf(database, id)
    print(`${label}: ${opened} of ${versions} values opened.`)
    for (const each of failed) print(`${label}: "${each.name}", version ${each.version}, does not open.`)
    const isWhole = isIntact(label, before.isIntact ? after : before, print) && opened === versions
    isGood &&= isWhole
    await database.withTenant(id, (db) =>
      audit(db, {
        organizationId: id,
        actor: { type: 'system', name: 'Operator', email: null },
        via: 'cli',
        action: 'secrets.verify',
        target: { type: 'secret-keys', id: String(id) },
        class: 'read',
        outcome: isWhole ? 'success' : 'failure',
        diff: { versions, opened, isAuditIntact: before.isIntact && after.isIntact },
      }),
    )
  }
  print(isGood ? 'Everything opens, and every audit chain holds.' : 'Something does not hold: see above.')
  return isGood
}

function verdictOf(database: Database, organizationId: number): Promise<AuditVerdict> {
  // The trail of the server belongs to no organization.
  return organizationId === 0
    ? database.asSystem('verify the trail of the server', (db) => verifyAudit(db, organizationId))
    : database.readTenant(organizationId, (db) => verifyAudit(db, organizationId))
}

function isIntact(label: string, verdict: AuditVerdict, print: (line: string) => void): boolean {
  print(
    verdict.isIntact
      ? `${label}: the audit chain holds, ${verdict.entries} entries.`
      : `${label}: the audit chain is broken at entry ${verdict.position}: ${verdict.problem}`,
  )
  return verdict.isIntact
}
