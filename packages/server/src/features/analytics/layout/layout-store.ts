import type { PlacedCard } from '@bey/contract/analytics/dashboard-cards'
import { and, desc, eq, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { dashboardLayouts } from '../../../tables/dashboard-layouts.ts'
import { users } from '../../../tables/users.ts'

const ofOwner = (organizationId: number, userId: number | null) =>
  and(
    eq(dashboardLayouts.organizationId, organizationId),
    userId === null ? isNull(dashboardLayouts.userId) : eq(dashboardLayouts.userId, userId),
  )

/** The arrangement of a member, if there is one, before the shared one. */
export async function readLayouts(db: Db, organizationId: number, userId: number) {
  return db
    .select({
      userId: dashboardLayouts.userId,
      cards: dashboardLayouts.cards,
      by: users.name,
      at: dashboardLayouts.updatedAt,
    })
    .from(dashboardLayouts)
    .leftJoin(users, eq(users.id, dashboardLayouts.updatedBy))
    .where(or(ofOwner(organizationId, userId), ofOwner(organizationId, null)))
    .orderBy(desc(sql`${dashboardLayouts.userId} is not null`))
}

/** `userId` null: the shared arrangement. */
export async function writeLayout(
  db: Db,
  of: { organizationId: number; userId: number | null; updatedBy: number; at: Date },
  cards: PlacedCard[],
): Promise<void> {
  const { at: updatedAt, ...owner } = of
  await db
    .insert(dashboardLayouts)
    .values({ ...owner, cards, updatedAt })
    .onConflictDoUpdate({
      target: [dashboardLayouts.organizationId, dashboardLayouts.userId],
      set: { cards, updatedBy: of.updatedBy, updatedAt },
    })
}

export async function deleteLayout(db: Db, organizationId: number, userId: number | null): Promise<boolean> {
  const gone = await db
    .delete(dashboardLayouts)
    .where(ofOwner(organizationId, userId))
    .returning({ id: dashboardLayouts.id })
  return gone.length > 0
}
