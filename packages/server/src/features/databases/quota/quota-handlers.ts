import { databaseCan } from '@bey/contract'

import { act, type Member } from '../../../platform/act.ts'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import type { StoredQuota } from '../../../tables/databases.ts'
import type { NoticeHealth } from '../../notifications/health-notices.ts'
import { openEmbedded } from '../open-connection.ts'
import { requireRoomOnDisk } from '../new-database.ts'
import { type DatabaseParts, placementOf } from '../parts.ts'
import { databaseTarget, existing, presentDatabase } from '../present.ts'
import type { DatabasePlacement } from '../provider.ts'
import { failureOf } from '../sql/open-session.ts'
import { type DatabaseRow, findDatabase, lockDatabase, updateDatabase } from '../store.ts'
import { createQuotaRound, storedQuota } from './quota-round.ts'
import { dropFilling } from './server-quota.ts'

type Names = `databases.${'setDiskQuota' | 'allowWrites' | 'endFault'}`
type Parts = Pick<DatabaseParts, 'database' | 'providers'> & { clock: Clock; noticeHealth: NoticeHealth }

/** Disk quotas of the servers of this machine: each answer shows the quota as it is after the change. */
export function quotaHandlers(parts: Parts): Handlers<Names> {
  const { database, providers, clock } = parts
  const lookAtQuota = createQuotaRound(parts)

  /** A database whose server this process reaches. */
  async function find(organizationId: number, id: string) {
    const row = await database.readTenant(organizationId, async (db) =>
      existing(await findDatabase(db, organizationId, id)),
    )
    const refusal = row.provider === 'embedded' ? databaseCan.connect(row) : 'Its server is not run by Bey.'
    const placement = placementOf(row)
    if (refusal !== undefined || placement === null) {
      throw new AppError('conflict', `The database "${row.name}": ${refusal ?? 'it has no server.'}`)
    }
    if (!providers.embedded.isHere(placement)) {
      throw new AppError('database_unreachable', `The server of "${row.name}" runs on another machine.`)
    }
    return { row, placement }
  }

  function set(
    row: DatabaseRow,
    caller: Member,
    change: Partial<StoredQuota>,
    what: { action: string; diff: Record<string, unknown> },
  ) {
    const { organizationId, id } = row
    return database.withTenant(organizationId, async (db) => {
      const locked = existing(await lockDatabase(db, organizationId, id))
      await updateDatabase(db, organizationId, id, { diskQuota: { ...storedQuota(locked), ...change } })
      await act(db, caller, {
        ...what,
        class: 'update',
        target: databaseTarget(row),
        event: { type: 'DATABASES_UPDATE', data: { databaseId: id } },
      })
    })
  }

  /** Measures and enforces at once, so that nobody waits for the next look. */
  async function refreshed(organizationId: number, id: string, placement: DatabasePlacement) {
    const row = await database.readTenant(organizationId, async (db) =>
      existing(await findDatabase(db, organizationId, id)),
    )
    const diskQuota = await lookAtQuota(row, placement).catch((error: unknown) => {
      throw failureOf(row.name, error)
    })
    return database.withTenant(organizationId, async (db) => {
      const { figures } = existing(await lockDatabase(db, organizationId, id))
      if (figures !== null) {
        await updateDatabase(db, organizationId, id, { figures: { ...figures, diskQuota } })
      }
      return keepReply(db, presentDatabase(existing(await findDatabase(db, organizationId, id))))
    })
  }

  return {
    'databases.setDiskQuota': async ({ caller, params: { id }, body: { limitBytes } }) => {
      const { row, placement } = await find(caller.organizationId, id)
      const before = storedQuota(row).limitBytes
      const usedBytes = row.figures?.diskQuota?.usedBytes ?? 0
      if (limitBytes !== null) await requireRoomOnDisk(providers, limitBytes, usedBytes)
      await set(
        row,
        caller,
        { limitBytes },
        {
          action: 'database.disk_quota',
          diff: { limitBytes: { from: before, to: limitBytes } },
        },
      )
      return refreshed(caller.organizationId, id, placement)
    },

    'databases.allowWrites': async ({ caller, params: { id }, body: { minutes } }) => {
      const { row, placement } = await find(caller.organizationId, id)
      const allowedUntil = new Date(clock.now().getTime() + minutes * 60_000).toISOString()
      await set(row, caller, { allowedUntil }, { action: 'database.allow_writes', diff: { allowedUntil } })
      return refreshed(caller.organizationId, id, placement)
    },

    'databases.endFault': async ({ caller, params: { id } }) => {
      const { row, placement } = await find(caller.organizationId, id)
      const admin = await openEmbedded(providers.embedded, placement, row.databaseName)
      try {
        await dropFilling(admin)
      } finally {
        await admin.end()
      }
      await set(row, caller, {}, { action: 'database.end_fault', diff: { fault: 'fill_quota' } })
      return refreshed(caller.organizationId, id, placement)
    },
  }
}
