import type { MeterPrice } from '@bey/contract'
import { billingBounds } from '@bey/contract/billing/usage-meters'
import { and, desc, eq, gt, lte, sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { memberships } from '../../../tables/memberships.ts'
import { priceVersions } from '../../../tables/price-versions.ts'
import { users } from '../../../tables/users.ts'

export type PriceRow = Awaited<ReturnType<typeof listVersions>>[number]

/** The newest first. */
export async function listVersions(db: Db, organizationId: number) {
  return db
    .select({
      version: priceVersions.version,
      currency: priceVersions.currency,
      prices: priceVersions.prices,
      holdsFrom: priceVersions.holdsFrom,
      note: priceVersions.note,
      createdBy: priceVersions.createdBy,
      createdByName: users.name,
      createdByEmail: users.email,
      createdAt: priceVersions.createdAt,
    })
    .from(priceVersions)
    .leftJoin(users, eq(users.id, priceVersions.createdBy))
    .where(eq(priceVersions.organizationId, organizationId))
    .orderBy(desc(priceVersions.version))
    .limit(billingBounds.maxVersions)
}

/** Versions that hold at some time of a month, the oldest first; the example is not among them. */
export async function versionsBetween(db: Db, organizationId: number, fromMs: number, toMs: number) {
  const columns = {
    version: priceVersions.version,
    currency: priceVersions.currency,
    prices: priceVersions.prices,
    holdsFrom: priceVersions.holdsFrom,
  }
  const [before, within] = await Promise.all([
    db
      .select(columns)
      .from(priceVersions)
      .where(
        and(eq(priceVersions.organizationId, organizationId), lte(priceVersions.holdsFrom, new Date(fromMs))),
      )
      .orderBy(desc(priceVersions.holdsFrom))
      .limit(1),
    db
      .select(columns)
      .from(priceVersions)
      .where(
        and(
          eq(priceVersions.organizationId, organizationId),
          gt(priceVersions.holdsFrom, new Date(fromMs)),
          sql`${priceVersions.holdsFrom} < ${new Date(toMs).toISOString()}::timestamptz`,
        ),
      )
      .orderBy(priceVersions.holdsFrom),
  ])
  return [...before, ...within]
}

export async function insertVersion(
  db: Db,
  row: {
    organizationId: number
    version: number
    currency: string
    prices: MeterPrice[]
    holdsFrom: Date
    note: string
    createdBy: number
  },
): Promise<void> {
  await db.insert(priceVersions).values(row)
}

/** Names of the owners, for the sentence that says who can. */
export async function ownerNames(db: Db, organizationId: number): Promise<string[]> {
  const rows = await db
    .select({ name: users.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.role, 'OWNER')))
    .orderBy(memberships.userId)
    .limit(3)
  return rows.map(({ name }) => name)
}

/** Kinds of nodes that were metered since a day. */
export async function nodeTypesSince(db: Db, organizationId: number, day: string) {
  const { rows } = await db.execute<{
    provider: string | null
    region: string | null
    nodeType: string | null
  }>(sql`
    select distinct s.provider, s.region, s.node_type as "nodeType"
    from (select distinct subject_id from usage_days where organization_id = ${organizationId} and day >= ${day}::date
      and meter = 'node_hours') d
    join usage_subjects s on s.organization_id = ${organizationId} and s.id = d.subject_id
    order by 3, 1, 2 limit 200`)
  return rows
}
