import { alertBounds } from '@bey/contract/alerts/rules'
import { and, isNotNull, lt } from 'drizzle-orm'

import type { Database } from '../../platform/db/database.ts'
import type { Retention } from '../../platform/db/retention.ts'
import { alertEpisodes, alertNotices } from '../../tables/alerts.ts'

/** Deletes what fired and whom alerts notified more than 90 days ago. */
export function alertRetention(database: Pick<Database, 'asSystem'>): Retention {
  return (now) =>
    database.asSystem('retention of alerts', async (db) => {
      const before = new Date(now.getTime() - alertBounds.keptDays * 24 * 3_600_000)
      await db
        .delete(alertEpisodes)
        .where(and(isNotNull(alertEpisodes.resolvedAt), lt(alertEpisodes.resolvedAt, before)))
      await db.delete(alertNotices).where(lt(alertNotices.at, before))
    })
}
