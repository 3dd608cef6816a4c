import type { NotificationChannel } from '@bey/contract'
import { and, asc, count, eq } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { notificationChannels } from '../../../tables/notification-channels.ts'

/** Binds a sealed address to its row. */
export const channelContext = (id: string) => `notification-channel:${id}`

const columns = {
  id: notificationChannels.id,
  name: notificationChannels.name,
  kind: notificationChannels.kind,
  host: notificationChannels.host,
  lastSentAt: notificationChannels.lastSentAt,
  lastError: notificationChannels.lastError,
}

const of = (organizationId: number, id: string) =>
  and(eq(notificationChannels.organizationId, organizationId), eq(notificationChannels.id, id))

export async function listChannels(db: Db, organizationId: number): Promise<NotificationChannel[]> {
  const rows = await db
    .select(columns)
    .from(notificationChannels)
    .where(eq(notificationChannels.organizationId, organizationId))
    .orderBy(asc(notificationChannels.name))
  return rows.map((row) => ({ ...row, lastSentAt: row.lastSentAt?.toISOString() ?? null }))
}

export async function countChannels(db: Db, organizationId: number): Promise<number> {
  const rows = await db
    .select({ count: count() })
    .from(notificationChannels)
    .where(eq(notificationChannels.organizationId, organizationId))
  return rows[0]?.count ?? 0
}

export async function insertChannel(db: Db, values: typeof notificationChannels.$inferInsert): Promise<void> {
  await db.insert(notificationChannels).values(values)
}

/** The name of what was deleted; undefined if there was none. */
export async function deleteChannel(db: Db, organizationId: number, id: string): Promise<string | undefined> {
  const rows = await db
    .delete(notificationChannels)
    .where(of(organizationId, id))
    .returning({ name: notificationChannels.name })
  return rows[0]?.name
}
