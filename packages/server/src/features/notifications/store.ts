import { notificationBounds } from '@bey/contract'
import { and, desc, eq, inArray, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { notifications } from '../../tables/notifications.ts'
import { subjectOf } from '../../tables/entity-tables.ts'
import type { NotificationCursor } from './cursor.ts'

/** Whose notifications: a person in an organization. */
export type Recipient = { organizationId: number; userId: number }

export type NotificationRow = Awaited<ReturnType<typeof listNotifications>>[number]
type NewNotification = Omit<typeof notifications.$inferInsert, 'organizationId' | 'userId'>

const columns = {
  id: notifications.id,
  kind: notifications.kind,
  level: notifications.level,
  title: notifications.title,
  detail: notifications.detail,
  requestId: notifications.requestId,
  href: notifications.href,
  subjectType: notifications.subjectType,
  subjectId: notifications.subjectId,
  subjectName: notifications.subjectName,
  isSubjectGone: sql<boolean>`subject.is_gone`,
  at: notifications.at,
  readAt: notifications.readAt,
}

const ofRecipient = ({ organizationId, userId }: Recipient) =>
  and(eq(notifications.organizationId, organizationId), eq(notifications.userId, userId))

function select(db: Db) {
  return db
    .select(columns)
    .from(notifications)
    .leftJoin(sql.raw(subjectOf('notifications')), sql`true`)
    .$dynamic()
}

/** Newest first, from behind the cursor on. */
export function listNotifications(
  db: Db,
  recipient: Recipient,
  filter: { show: 'all' | 'unread' | 'errors'; limit: number },
  after: NotificationCursor | undefined,
) {
  const conditions: (SQL | undefined)[] = [ofRecipient(recipient)]
  if (filter.show === 'unread') conditions.push(isNull(notifications.readAt))
  if (filter.show === 'errors') conditions.push(eq(notifications.level, 'error'))
  if (after !== undefined) {
    conditions.push(
      sql`(${notifications.at}, ${notifications.id}) < (${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`,
    )
  }
  return select(db)
    .where(and(...conditions))
    .orderBy(desc(notifications.at), desc(notifications.id))
    .limit(filter.limit)
}

export async function findNotification(db: Db, recipient: Recipient, id: string) {
  const rows = await select(db).where(and(ofRecipient(recipient), eq(notifications.id, id)))
  return rows[0]
}

/** How many are unread, at most `maxCounted`. */
export async function countUnread(db: Db, recipient: Recipient): Promise<number> {
  const unread = sql`select 1 from ${notifications} where ${and(ofRecipient(recipient), isNull(notifications.readAt))}`
  const counted = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from (${unread} limit ${notificationBounds.maxCounted}) counted`,
  )
  return counted.rows[0]?.count ?? 0
}

/** Writes what is not written yet; a known id stays as it is. */
export async function insertNotifications(
  db: Db,
  recipient: Recipient,
  rows: readonly NewNotification[],
): Promise<void> {
  await db
    .insert(notifications)
    .values(rows.map((row) => ({ ...row, ...recipient })))
    .onConflictDoNothing()
}

/** Deletes what is beyond the newest `maxKept`. */
export async function trimNotifications(db: Db, recipient: Recipient): Promise<void> {
  const beyond = db
    .select({ id: notifications.id })
    .from(notifications)
    .where(ofRecipient(recipient))
    .orderBy(desc(notifications.at), desc(notifications.id))
    .offset(notificationBounds.maxKept)
  await db.delete(notifications).where(and(ofRecipient(recipient), inArray(notifications.id, beyond)))
}

/** Whether anything changed. */
export async function setRead(
  db: Db,
  recipient: Recipient,
  id: string,
  readAt: Date | null,
): Promise<boolean> {
  const changed = await db
    .update(notifications)
    .set({ readAt })
    .where(
      and(
        ofRecipient(recipient),
        eq(notifications.id, id),
        readAt === null ? isNotNull(notifications.readAt) : isNull(notifications.readAt),
      ),
    )
  return (changed.rowCount ?? 0) > 0
}

export async function readUntil(db: Db, recipient: Recipient, until: Date, readAt: Date): Promise<number> {
  const changed = await db
    .update(notifications)
    .set({ readAt })
    .where(and(ofRecipient(recipient), isNull(notifications.readAt), lte(notifications.at, until)))
  return changed.rowCount ?? 0
}

/** Whether there was such a notification of theirs. */
export async function deleteNotification(db: Db, recipient: Recipient, id: string): Promise<boolean> {
  const deleted = await db.delete(notifications).where(and(ofRecipient(recipient), eq(notifications.id, id)))
  return (deleted.rowCount ?? 0) > 0
}

export async function deleteRead(db: Db, recipient: Recipient): Promise<number> {
  const deleted = await db
    .delete(notifications)
    .where(and(ofRecipient(recipient), isNotNull(notifications.readAt)))
  return deleted.rowCount ?? 0
}
