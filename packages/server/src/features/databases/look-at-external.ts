import { AppError } from '../../platform/errors.ts'
import { ConnectionProblem } from '../../platform/outbound/connection-problem.ts'
import { measureOnce } from './measure.ts'
import { monitorName } from './open-connection.ts'
import type { ExternalTarget } from './provider.ts'
import type { Reports } from './report.ts'
import { type DatabaseRow, updateDatabase } from './store.ts'
import type { WatchParts } from './watch-parts.ts'

/** How an external database is reached, without its password; undefined for one without an address. */
export function targetOf(row: DatabaseRow): Omit<ExternalTarget, 'password'> | undefined {
  const { host, port, databaseName, username, tls, caPem } = row
  return host === null || port === null ? undefined : { host, port, databaseName, username, tls, caPem }
}

/** Asks the server of an external database whether it answers, and measures it. */
export function createExternalLook(parts: WatchParts, reports: Reports) {
  const { database, providers, credentials, clock } = parts

  async function passwordOf(row: DatabaseRow): Promise<string | null> {
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

  return async function look(row: DatabaseRow): Promise<void> {
    const target = targetOf(row)
    if (target === undefined) return
    try {
      const password = await passwordOf(row)
      const connection = await providers.external.connect({ ...target, password }, monitorName)
      const before = row.status === 'available' ? row.figures : null
      const found = await measureOnce(connection, before, clock.now())
      await reports.answered(row, found)
    } catch (error) {
      await reports.silent(row, problemText(error))
    }
  }
}

/** A failure of a look as a sentence. */
export function problemText(error: unknown): string {
  if (error instanceof ConnectionProblem || error instanceof AppError) return error.message
  return `The server answered, and then failed: ${error instanceof Error ? error.message : String(error)}.`
}
