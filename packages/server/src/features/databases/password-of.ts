import type { DatabaseParts } from './parts.ts'
import { type DatabaseRow, updateDatabase } from './store.ts'

/** Reads the password of a database that Bey does not set itself, and records which version of its secret is used. */
export function createPasswordReader({
  database,
  credentials,
}: Pick<DatabaseParts, 'database' | 'credentials'>) {
  return async function passwordOf(row: DatabaseRow): Promise<string | null> {
    const { organizationId, id, credentialSecretId } = row
    if (credentialSecretId === null) return null
    const { password, version } = await credentials.read(organizationId, credentialSecretId)
    if (version !== row.credentialVersion) {
      await database.withTenant(organizationId, async (db) => {
        await updateDatabase(db, organizationId, id, { credentialVersion: version })
        await credentials.recordUse(db, organizationId, credentialSecretId, version, row)
      })
    }
    return password
  }
}
