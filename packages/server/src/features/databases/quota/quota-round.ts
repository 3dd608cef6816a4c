import { type DiskQuota, planDiskBytes, quotaLevel, quotaTrouble } from '@bey/contract'

import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import { publish } from '../../../platform/live/publish.ts'
import { act, serverItself } from '../../../platform/act.ts'
import type { StoredQuota } from '../../../tables/databases.ts'
import type { NoticeHealth } from '../../notifications/health-notices.ts'
import { openEmbedded } from '../open-connection.ts'
import { databaseTarget } from '../present.ts'
import type { DatabasePlacement, DatabaseProviders } from '../provider.ts'
import { type DatabaseRow, lockDatabase, updateDatabase } from '../store.ts'
import { dropFilling, readServerQuota, setRefusing } from './server-quota.ts'

/** Of a database whose quota follows from its size. */
export const nothingSet: StoredQuota = { limitBytes: null, allowedUntil: null, refusedAt: null, toldLevel: 0 }

export const storedQuota = ({ diskQuota }: Pick<DatabaseRow, 'diskQuota'>): StoredQuota =>
  diskQuota ?? nothingSet

/** What the databases of a server may take on disk. */
export const limitOf = (row: Pick<DatabaseRow, 'diskQuota' | 'plan'>): number =>
  storedQuota(row).limitBytes ?? planDiskBytes[row.plan ?? 'small']

type Parts = {
  database: Database
  providers: Pick<DatabaseProviders, 'embedded'>
  clock: Pick<Clock, 'now'>
  noticeHealth: NoticeHealth
}

/**
 * Measures what the databases of a server of Bey's take on disk, has the server refuse to write while its quota is full,
 * ends what filled it on purpose, and tells the members when it becomes full. Each part looks at what is there first.
 */
export function createQuotaRound({ database, providers, clock, noticeHealth }: Parts) {
  return async function lookAtQuota(row: DatabaseRow, placement: DatabasePlacement): Promise<DiskQuota> {
    const admin = await openEmbedded(providers.embedded, placement, row.databaseName)
    try {
      const now = clock.now()
      let found = await readServerQuota(admin)
      if (found.filledUntil !== null && found.filledUntil <= now) {
        await dropFilling(admin)
        found = await readServerQuota(admin)
      }
      const set = storedQuota(row)
      const limitBytes = limitOf(row)
      const isFull = found.usedBytes >= limitBytes
      const isAllowed = set.allowedUntil !== null && new Date(set.allowedUntil) > now
      const isRefusing = isFull && !isAllowed
      // What Bey did not set is the wish of whoever administers the server.
      const isOurs = set.refusedAt !== null
      if (isRefusing !== found.isRefusing && (isRefusing || isOurs)) {
        if (isRefusing) await store(row, { refusedAt: now.toISOString() })
        await setRefusing(admin, isRefusing)
        await record(row, isRefusing, found.usedBytes, limitBytes)
      }
      if (!isRefusing && isOurs) await store(row, { refusedAt: null })
      const quota: DiskQuota = {
        usedBytes: found.usedBytes,
        limitBytes,
        isOwn: set.limitBytes !== null,
        isRefusing,
        allowedUntil: isFull && isAllowed ? set.allowedUntil : null,
        filledUntil: found.filledUntil?.toISOString() ?? null,
      }
      await tell(row, quota, now)
      return quota
    } finally {
      await admin.end()
    }
  }

  function store({ organizationId, id }: DatabaseRow, values: Partial<StoredQuota>) {
    return database.withTenant(organizationId, async (db) => {
      const row = await lockDatabase(db, organizationId, id)
      if (row === undefined) return
      await updateDatabase(db, organizationId, id, { diskQuota: { ...storedQuota(row), ...values } })
    })
  }

  function record(row: DatabaseRow, isRefusing: boolean, usedBytes: number, limitBytes: number) {
    return database.withTenant(row.organizationId, (db) =>
      act(db, serverItself(row.organizationId), {
        action: isRefusing ? 'database.writes_refused' : 'database.writes_allowed',
        class: 'update',
        ...(isRefusing && { outcome: 'failure' as const }),
        target: databaseTarget(row),
        diff: { usedBytes, limitBytes },
        event: { type: 'DATABASES_UPDATE', data: { databaseId: row.id } },
      }),
    )
  }

  /** Once for each share that is reached, and once when it has room again. */
  async function tell(row: DatabaseRow, quota: DiskQuota, now: Date): Promise<void> {
    const { organizationId, id, name } = row
    const level = quotaLevel(quota)
    if (level === storedQuota(row).toldLevel) return
    await database.withTenant(organizationId, async (db) => {
      const locked = await lockDatabase(db, organizationId, id)
      if (locked === undefined) return
      const told = storedQuota(locked).toldLevel
      if (level === told) return
      await updateDatabase(db, organizationId, id, {
        diskQuota: { ...storedQuota(locked), toldLevel: level },
      })
      await publish(db, { organizationId, type: 'DATABASES_UPDATE', data: { databaseId: id } })
      if (level < told && level > 0) return
      const trouble = quotaTrouble(quota)
      const since = now.toISOString()
      await noticeHealth(db, {
        organizationId,
        subject: { type: 'database', id, name },
        href: `/databases/${id}?tab=settings`,
        to: trouble === undefined ? 'recovery' : 'trouble',
        health:
          trouble === undefined
            ? { state: 'healthy', reason: null, detail: null, since, object: null }
            : { ...trouble, since, object: null },
      })
    })
  }
}
