import { and, count, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { clusters } from '../../../tables/clusters.ts'
import type { Db } from '../../../platform/db/database.ts'
import { countUpTo, type Total } from '../../../platform/db/totals.ts'
import { kubeconfigTokens } from '../../../tables/kubeconfig-tokens.ts'
import { memberships } from '../../../tables/memberships.ts'
import { users } from '../../../tables/users.ts'

export type TokenRow = {
  id: string
  userId: number
  userName: string | null
  userEmail: string | null
  label: string
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
}

/** A member of an organization, whose tokens they are. */
type Holder = { organizationId: number; userId: number }

const heldBy = ({ organizationId, userId }: Holder) =>
  and(eq(kubeconfigTokens.organizationId, organizationId), eq(kubeconfigTokens.userId, userId))

const isLive = () => and(isNull(kubeconfigTokens.revokedAt), gt(kubeconfigTokens.expiresAt, sql`now()`))

/** Holds the member's row until the transaction ends, so that two downloads at once count one after the other. */
export async function lockMember(db: Db, { organizationId, userId }: Holder): Promise<void> {
  await db
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)))
    .for('update')
}

export async function countLiveTokens(db: Db, holder: Holder): Promise<number> {
  const rows = await db
    .select({ total: count() })
    .from(kubeconfigTokens)
    .where(and(heldBy(holder), isLive()))
  return rows[0]?.total ?? 0
}

/** Tokens of a user that were made since, whether or not they still live. */
export async function countRecentTokens(db: Db, holder: Holder, since: Date): Promise<number> {
  const rows = await db
    .select({ total: count() })
    .from(kubeconfigTokens)
    .where(and(heldBy(holder), gt(kubeconfigTokens.createdAt, since)))
  return rows[0]?.total ?? 0
}

export async function insertToken(db: Db, values: typeof kubeconfigTokens.$inferInsert): Promise<void> {
  await db.insert(kubeconfigTokens).values(values)
}

/** Live tokens of a cluster, newest first; of one user where given. */
export async function listTokens(
  db: Db,
  of: { organizationId: number; clusterId: number; userId: number | undefined },
  page: { limit: number; offset: number },
): Promise<{ rows: TokenRow[] } & Total> {
  const where = and(
    eq(kubeconfigTokens.organizationId, of.organizationId),
    eq(kubeconfigTokens.clusterId, of.clusterId),
    of.userId === undefined ? undefined : eq(kubeconfigTokens.userId, of.userId),
    isLive(),
  )
  const rows = await db
    .select({
      id: kubeconfigTokens.id,
      userId: kubeconfigTokens.userId,
      userName: users.name,
      userEmail: users.email,
      label: kubeconfigTokens.label,
      createdAt: kubeconfigTokens.createdAt,
      expiresAt: kubeconfigTokens.expiresAt,
      lastUsedAt: kubeconfigTokens.lastUsedAt,
    })
    .from(kubeconfigTokens)
    .leftJoin(users, eq(users.id, kubeconfigTokens.userId))
    .where(where)
    .orderBy(desc(kubeconfigTokens.createdAt), desc(kubeconfigTokens.id))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, ...(await countUpTo(db, sql`select 1 from ${kubeconfigTokens} where ${where}`)) }
}

/** Marks a live token as revoked; undefined if there is none. */
export async function revokeToken(
  db: Db,
  of: { organizationId: number; clusterId: number; tokenId: string; userId: number | undefined },
): Promise<{ userId: number; label: string } | undefined> {
  const rows = await db
    .update(kubeconfigTokens)
    .set({ revokedAt: sql`now()` })
    .where(
      and(
        eq(kubeconfigTokens.organizationId, of.organizationId),
        eq(kubeconfigTokens.id, of.tokenId),
        eq(kubeconfigTokens.clusterId, of.clusterId),
        of.userId === undefined ? undefined : eq(kubeconfigTokens.userId, of.userId),
        isLive(),
      ),
    )
    .returning({ userId: kubeconfigTokens.userId, label: kubeconfigTokens.label })
  return rows[0]
}

/** Live tokens of a user in the organization, newest first, each with its cluster. */
export async function listTokensOfUser(db: Db, holder: Holder, limit: number) {
  const rows = await db
    .select({ id: kubeconfigTokens.id, label: kubeconfigTokens.label, clusterTitle: clusters.title })
    .from(kubeconfigTokens)
    .innerJoin(clusters, eq(clusters.id, kubeconfigTokens.clusterId))
    .where(and(heldBy(holder), isLive()))
    .orderBy(desc(kubeconfigTokens.createdAt), desc(kubeconfigTokens.id))
    .limit(limit)
  return { rows, total: await countLiveTokens(db, holder) }
}

/** Marks all live tokens of a user in the organization as revoked; answers their ids. */
export async function revokeTokensOfUser(db: Db, holder: Holder): Promise<string[]> {
  const rows = await db
    .update(kubeconfigTokens)
    .set({ revokedAt: sql`now()` })
    .where(and(heldBy(holder), isLive()))
    .returning({ id: kubeconfigTokens.id })
  return rows.map(({ id }) => id)
}
