import type { NotificationRule, NotificationRuleInput } from '@bey/contract'
import { and, asc, count, eq, isNull, or } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { notificationRules } from '../../../tables/notification-rules.ts'

const columns = {
  id: notificationRules.id,
  userId: notificationRules.userId,
  name: notificationRules.name,
  events: notificationRules.events,
  minSeverity: notificationRules.minSeverity,
  whose: notificationRules.whose,
  clusterIds: notificationRules.clusterIds,
  workflowIds: notificationRules.workflowIds,
  inApp: notificationRules.inApp,
  mail: notificationRules.mail,
  channelIds: notificationRules.channelIds,
  quietFrom: notificationRules.quietFrom,
  quietTo: notificationRules.quietTo,
  timeZone: notificationRules.timeZone,
  digest: notificationRules.digest,
  mutedUntil: notificationRules.mutedUntil,
  isEnabled: notificationRules.isEnabled,
}

/** Rules that a user sees: the organization's and their own. */
const seenBy = (organizationId: number, userId: number) =>
  and(
    eq(notificationRules.organizationId, organizationId),
    or(isNull(notificationRules.userId), eq(notificationRules.userId, userId)),
  )

export async function listRules(db: Db, organizationId: number, userId: number): Promise<NotificationRule[]> {
  const rows = await db
    .select(columns)
    .from(notificationRules)
    .where(seenBy(organizationId, userId))
    .orderBy(asc(notificationRules.createdAt), asc(notificationRules.id))
  return rows.map(present)
}

export async function findRule(
  db: Db,
  organizationId: number,
  userId: number,
  id: string,
): Promise<NotificationRule | undefined> {
  const rows = await db
    .select(columns)
    .from(notificationRules)
    .where(and(seenBy(organizationId, userId), eq(notificationRules.id, id)))
  return rows[0] && present(rows[0])
}

/** Of the organization, or of a user. */
export async function countRules(db: Db, organizationId: number, userId: number | null): Promise<number> {
  const rows = await db
    .select({ count: count() })
    .from(notificationRules)
    .where(
      and(
        eq(notificationRules.organizationId, organizationId),
        userId === null ? isNull(notificationRules.userId) : eq(notificationRules.userId, userId),
      ),
    )
  return rows[0]?.count ?? 0
}

type Place = { organizationId: number; id: string; userId: number | null }

export async function insertRule(db: Db, place: Place, input: NotificationRuleInput): Promise<void> {
  await db.insert(notificationRules).values({ ...place, ...rowOf(input) })
}

export async function updateRule(
  db: Db,
  organizationId: number,
  id: string,
  input: NotificationRuleInput,
): Promise<void> {
  await db
    .update(notificationRules)
    .set(rowOf(input))
    .where(and(eq(notificationRules.organizationId, organizationId), eq(notificationRules.id, id)))
}

export async function deleteRule(db: Db, organizationId: number, id: string): Promise<void> {
  await db
    .delete(notificationRules)
    .where(and(eq(notificationRules.organizationId, organizationId), eq(notificationRules.id, id)))
}

function rowOf({ quiet, mutedUntil, ...input }: NotificationRuleInput) {
  return {
    ...input,
    quietFrom: quiet?.from ?? null,
    quietTo: quiet?.to ?? null,
    mutedUntil: mutedUntil === null ? null : new Date(mutedUntil),
  }
}

type Row = Omit<NotificationRule, 'owner' | 'quiet' | 'mutedUntil'> & {
  userId: number | null
  quietFrom: string | null
  quietTo: string | null
  mutedUntil: Date | null
}

function present({ userId, quietFrom, quietTo, mutedUntil, ...row }: Row): NotificationRule {
  return {
    ...row,
    owner: userId === null ? 'organization' : 'mine',
    quiet: quietFrom === null || quietTo === null ? null : { from: quietFrom, to: quietTo },
    mutedUntil: mutedUntil?.toISOString() ?? null,
  }
}
