import type { NotificationChannel } from '@bey/contract'
import { and, asc, count, eq, isNull, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { notificationChannels } from '../../../tables/notification-channels.ts'

/** Binds a sealed address to its row. */
export const channelContext = (id: string) => `notification-channel:${id}`

const columns = {
  id: notificationChannels.id,
  userId: notificationChannels.userId,
  name: notificationChannels.name,
  kind: notificationChannels.kind,
  host: notificationChannels.host,
  lastSentAt: notificationChannels.lastSentAt,
  lastError: notificationChannels.lastError,
}

const ownedBy = (organizationId: number, userId: number | null) =>
  and(
    eq(notificationChannels.organizationId, organizationId),
    userId === null ? isNull(notificationChannels.userId) : eq(notificationChannels.userId, userId),
  )

/** Of the organization, or of a user. */
export async function listChannels(
  db: Db,
  organizationId: number,
  userId: number | null,
): Promise<NotificationChannel[]> {
  const rows = await db
    .select(columns)
    .from(notificationChannels)
    .where(ownedBy(organizationId, userId))
    .orderBy(asc(notificationChannels.name))
  return rows.map(({ userId: of, lastSentAt, ...row }) => ({
    ...row,
    owner: of === null ? 'organization' : 'mine',
    lastSentAt: lastSentAt?.toISOString() ?? null,
  }))
}

export async function countChannels(db: Db, organizationId: number, userId: number | null): Promise<number> {
  const rows = await db
    .select({ count: count() })
    .from(notificationChannels)
    .where(ownedBy(organizationId, userId))
  return rows[0]?.count ?? 0
}

export async function insertChannel(db: Db, values: typeof notificationChannels.$inferInsert): Promise<void> {
  await db.insert(notificationChannels).values(values)
}

export async function deleteChannel(db: Db, organizationId: number, id: string): Promise<void> {
  await db
    .delete(notificationChannels)
    .where(and(eq(notificationChannels.organizationId, organizationId), eq(notificationChannels.id, id)))
}

/** Keeps how the last message to a channel ended. */
export async function recordSent(
  db: Db,
  organizationId: number,
  id: string,
  problem: string | undefined,
): Promise<void> {
  await db
    .update(notificationChannels)
    .set({ lastError: problem ?? null, ...(problem === undefined && { lastSentAt: sql`now()` }) })
    .where(and(eq(notificationChannels.organizationId, organizationId), eq(notificationChannels.id, id)))
}
