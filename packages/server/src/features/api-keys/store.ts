import type { KeyResource, LimitableType } from '@bey/contract'
import { and, asc, count, desc, eq, gt, ilike, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import { countUpTo } from '../../platform/db/totals.ts'
import { apiKeys, apiKeySecrets } from '../../tables/api-keys.ts'
import { entityTables, sqlIdType } from '../../tables/entity-tables.ts'
import { memberships } from '../../tables/memberships.ts'
import { users } from '../../tables/users.ts'

export type KeyRow = Awaited<ReturnType<typeof findKeys>>[number]

/** Whose keys are looked at: those of a person, and with `isManager` all. */
export type Viewer = { organizationId: number; userId: number; isManager: boolean }

export type KeyFilter = {
  search?: string | undefined
  owner?: 'me' | 'others' | 'organization' | undefined
  state?: 'live' | 'ended' | undefined
  sort: keyof typeof sorts
  order?: 'asc' | 'desc' | undefined
  page: number
  limit: number
}

const owners = alias(users, 'owners')
const makers = alias(users, 'makers')
const previous = alias(apiKeySecrets, 'previous')

const columns = {
  id: apiKeys.id,
  name: apiKeys.name,
  ownerId: apiKeys.ownerId,
  ownerName: owners.name,
  ownerEmail: owners.email,
  ownerRole: memberships.role,
  madeBy: apiKeys.madeBy,
  madeByName: makers.name,
  madeByEmail: makers.email,
  role: apiKeys.role,
  permissions: apiKeys.permissions,
  resources: apiKeys.resources,
  allowedAddresses: apiKeys.allowedAddresses,
  requestsPerMinute: apiKeys.requestsPerMinute,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  revokedAt: apiKeys.revokedAt,
  lastUsedAt: apiKeys.lastUsedAt,
  lastUsedIp: apiKeys.lastUsedIp,
  secretId: apiKeySecrets.id,
  start: apiKeySecrets.start,
  previousValidUntil: previous.validUntil,
}

const sorts = {
  name: sql`lower(${apiKeys.name})`,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  lastUsedAt: apiKeys.lastUsedAt,
}

export const isLive = sql`(${apiKeys.revokedAt} is null and (${apiKeys.expiresAt} is null or ${apiKeys.expiresAt} > now()))`

function visibleTo({ organizationId, userId, isManager }: Viewer): SQL | undefined {
  return and(eq(apiKeys.organizationId, organizationId), isManager ? undefined : eq(apiKeys.ownerId, userId))
}

function findKeys(db: Db, where: SQL | undefined) {
  return db
    .select(columns)
    .from(apiKeys)
    .innerJoin(apiKeySecrets, and(eq(apiKeySecrets.keyId, apiKeys.id), isNull(apiKeySecrets.validUntil)))
    .leftJoin(previous, and(eq(previous.keyId, apiKeys.id), gt(previous.validUntil, sql`now()`)))
    .leftJoin(owners, eq(owners.id, apiKeys.ownerId))
    .leftJoin(makers, eq(makers.id, apiKeys.madeBy))
    .leftJoin(
      memberships,
      and(eq(memberships.organizationId, apiKeys.organizationId), eq(memberships.userId, apiKeys.ownerId)),
    )
    .where(where)
    .$dynamic()
}

export async function listKeys(db: Db, viewer: Viewer, filter: KeyFilter) {
  const conditions: (SQL | undefined)[] = [visibleTo(viewer)]
  if (filter.owner === 'me') conditions.push(eq(apiKeys.ownerId, viewer.userId))
  if (filter.owner === 'others') conditions.push(ne(apiKeys.ownerId, viewer.userId))
  if (filter.owner === 'organization') conditions.push(isNull(apiKeys.ownerId))
  if (filter.state === 'live') conditions.push(isLive)
  if (filter.state === 'ended') conditions.push(sql`not ${isLive}`)
  if (filter.search) {
    const part = containing(filter.search)
    const bySecret = sql`exists (select 1 from ${apiKeySecrets} s where s.key_id = ${apiKeys.id} and s.start ilike ${part})`
    conditions.push(or(ilike(apiKeys.name, part), bySecret))
  }
  const where = and(...conditions)
  const direction = (filter.order ?? (filter.sort === 'name' ? 'asc' : 'desc')) === 'asc' ? asc : desc
  const [rows, total] = await Promise.all([
    findKeys(db, where)
      .orderBy(sql`${direction(sorts[filter.sort])} nulls last`, desc(apiKeys.id))
      .limit(filter.limit)
      .offset((filter.page - 1) * filter.limit),
    countUpTo(db, sql`select 1 from ${apiKeys} where ${where}`),
  ])
  return { rows, ...total }
}

export async function findKey(db: Db, viewer: Viewer, id: string): Promise<KeyRow | undefined> {
  const [row] = await findKeys(db, and(visibleTo(viewer), eq(apiKeys.id, id)))
  return row
}

/** The same, kept from being changed by others until the transaction ends. */
export async function findLockedKey(db: Db, viewer: Viewer, id: string): Promise<KeyRow | undefined> {
  await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(visibleTo(viewer), eq(apiKeys.id, id)))
    .for('update')
  return findKey(db, viewer, id)
}

/** The secret that has a hash, and the key that it belongs to. */
export async function findSecret(db: Db, organizationId: number, tokenHash: Buffer) {
  const [row] = await db
    .select({ id: apiKeySecrets.id, keyId: apiKeySecrets.keyId, validUntil: apiKeySecrets.validUntil })
    .from(apiKeySecrets)
    .where(and(eq(apiKeySecrets.organizationId, organizationId), eq(apiKeySecrets.tokenHash, tokenHash)))
  return row
}

/** Keys of one person, or of the organization, that have not ended. */
export async function countLiveKeys(db: Db, organizationId: number, ownerId: number | null): Promise<number> {
  const rows = await db
    .select({ total: count() })
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.organizationId, organizationId),
        ownerId === null ? isNull(apiKeys.ownerId) : eq(apiKeys.ownerId, ownerId),
        isLive,
      ),
    )
  return rows[0]?.total ?? 0
}

export async function insertKey(db: Db, values: typeof apiKeys.$inferInsert): Promise<void> {
  await db.insert(apiKeys).values(values)
}

export async function insertSecret(db: Db, values: typeof apiKeySecrets.$inferInsert): Promise<void> {
  await db.insert(apiKeySecrets).values(values)
}

export async function updateKey(
  db: Db,
  organizationId: number,
  id: string,
  values: Partial<typeof apiKeys.$inferInsert>,
): Promise<void> {
  await db
    .update(apiKeys)
    .set(values)
    .where(and(eq(apiKeys.organizationId, organizationId), eq(apiKeys.id, id)))
}

/**
 * Lets the present secret of a key work for so many hours more, and ends the one before it: two work at most. Answers
 * when each is over, by the clock of the database, which decides whether a secret works.
 */
export async function replaceSecrets(db: Db, organizationId: number, keyId: string, overlapHours: number) {
  return db
    .update(apiKeySecrets)
    .set({
      validUntil: sql`case when valid_until is null
        then date_trunc('milliseconds', now()) + make_interval(secs => ${overlapHours * 3600})
        else date_trunc('milliseconds', now()) end`,
    })
    .where(
      and(
        eq(apiKeySecrets.organizationId, organizationId),
        eq(apiKeySecrets.keyId, keyId),
        or(isNull(apiKeySecrets.validUntil), gt(apiKeySecrets.validUntil, sql`now()`)),
      ),
    )
    .returning({
      id: apiKeySecrets.id,
      validUntil: apiKeySecrets.validUntil,
      isOver: sql<boolean>`valid_until <= now()`,
    })
}

export async function liveSecretIds(db: Db, organizationId: number, keyId: string): Promise<string[]> {
  const rows = await db
    .select({ id: apiKeySecrets.id })
    .from(apiKeySecrets)
    .where(
      and(
        eq(apiKeySecrets.organizationId, organizationId),
        eq(apiKeySecrets.keyId, keyId),
        or(isNull(apiKeySecrets.validUntil), gt(apiKeySecrets.validUntil, sql`now()`)),
      ),
    )
  return rows.map(({ id }) => id)
}

/** What the things that keys are limited to are called, under `type id`; one that is gone has no name. */
export async function namesOf(
  db: Db,
  organizationId: number,
  resources: readonly KeyResource[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  const byType = Map.groupBy(resources, ({ type }) => type)
  for (const [type, named] of byType) {
    for (const { id, label } of await labels(db, organizationId, type, [
      ...new Set(named.map(({ id }) => id)),
    ])) {
      names.set(`${type} ${id}`, label)
    }
  }
  return names
}

async function labels(db: Db, organizationId: number, type: LimitableType, ids: string[]) {
  const { name, label, deletedAt } = entityTables[type]
  const isThere = sql.raw(deletedAt === undefined ? 'true' : `${deletedAt} is null`)
  const list = sql.join(
    ids.map((id) => sql`${id}::${sql.raw(sqlIdType(type))}`),
    sql`, `,
  )
  const { rows } = await db.execute<{ id: string; label: string }>(
    sql`select t.id::text as id, ${sql.raw(label)} as label from ${sql.raw(name)} t
      where t.organization_id = ${organizationId} and t.id in (${list}) and ${isThere}`,
  )
  return rows
}
