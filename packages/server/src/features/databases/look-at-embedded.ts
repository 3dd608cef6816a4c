import { minorUpgrade } from '@bey/contract'

import { endLogins } from './logins/end-logins.ts'
import { measureOnce } from './measure.ts'
import { openEmbedded } from './open-connection.ts'
import { placementOf, providerDatabase } from './parts.ts'
import type { DatabasePlacement } from './provider.ts'
import { createQuotaRound } from './quota/quota-round.ts'
import type { Reports } from './report.ts'
import { type DatabaseRow, findDatabase, updateDatabase } from './store.ts'
import type { WatchParts } from './watch-parts.ts'

/** Keeps the server of a database of this machine running, gives it the password of its secret, and measures it. */
export function createEmbeddedLook(parts: WatchParts, reports: Reports) {
  const { database, providers, credentials, clock, log } = parts
  const { embedded } = providers
  const lookAtQuota = createQuotaRound(parts)

  async function shouldRun({ organizationId, id }: DatabaseRow): Promise<boolean> {
    const row = await database.readTenant(organizationId, (db) => findDatabase(db, organizationId, id))
    return row?.status === 'available' || row?.status === 'degraded'
  }

  /** Applies a password that was rotated in its secret. */
  async function syncPassword(row: DatabaseRow, placement: DatabasePlacement): Promise<void> {
    const { organizationId, id, credentialSecretId } = row
    if (credentialSecretId === null) return
    try {
      const { password, version } = await credentials.read(organizationId, credentialSecretId)
      if (version === row.credentialVersion) return
      await embedded.setUp(providerDatabase(row), placement, password)
      await database.withTenant(organizationId, async (db) => {
        await updateDatabase(db, organizationId, id, { credentialVersion: version })
        await credentials.recordUse(db, organizationId, credentialSecretId, version, row)
      })
      log.info({ databaseId: id, version }, 'A database got the new password of its secret')
    } catch (error) {
      // The database goes on with the password that it has; a secret that is disabled may be meant to be.
      log.warn(
        { err: error, databaseId: id },
        'The password of a database could not be compared with its secret',
      )
    }
  }

  /** What was known before where it cannot be looked at: its server answers nevertheless. */
  async function quotaOf(row: DatabaseRow, placement: DatabasePlacement) {
    try {
      return await lookAtQuota(row, placement)
    } catch (error) {
      log.warn({ err: error, databaseId: row.id }, 'The disk quota of a database could not be looked at')
      return row.figures?.diskQuota ?? null
    }
  }

  /** Databases whose server this process has looked at: what a copy brought along was removed then. */
  const seen = new Set<string>()

  async function endOldLogins(row: DatabaseRow): Promise<void> {
    try {
      await endLogins(parts, row, !seen.has(row.id))
      seen.add(row.id)
    } catch (error) {
      // A server that was swapped out takes no changes; it refuses a login by itself once its time is over.
      const isReadOnly = (error as { code?: unknown }).code === '25006'
      log[isReadOnly ? 'debug' : 'warn'](
        { err: error, databaseId: row.id },
        'Logins whose time is over could not be removed',
      )
    }
  }

  return async function look(row: DatabaseRow): Promise<void> {
    const placement = placementOf(row)
    if (placement === null) return
    if (!embedded.isHere(placement)) {
      const reason = 'It belongs to another machine, on which no Bey runs at the moment.'
      return reports.silent(row, reason)
    }
    try {
      const server = await embedded.keepRunning(providerDatabase(row), placement, () => shouldRun(row))
      if (server === undefined) return
      await syncPassword(row, placement)
      const connection = await openEmbedded(embedded, placement, row.databaseName)
      const found = await measureOnce(connection, row.figures, clock.now())
      const because =
        row.status === 'degraded' ? (row.reason ?? server.startedBecause) : server.startedBecause
      const restart =
        server.startedBecause === undefined
          ? undefined
          : { at: clock.now(), reason: because ?? server.startedBecause }
      const upgrade = minorUpgrade(found.version, await embedded.version())
      const notes =
        upgrade === undefined
          ? []
          : [
              `PostgreSQL ${upgrade} is there, and its server still runs ${found.version}. Restart it to upgrade.`,
            ]
      const diskQuota = await quotaOf(row, placement)
      await reports.answered(row, { ...found, figures: { ...found.figures, diskQuota }, notes }, restart)
      await endOldLogins(row)
    } catch (error) {
      await reports.silent(row, error instanceof Error ? error.message : String(error))
    }
  }
}
