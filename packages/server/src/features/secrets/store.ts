import { type SecretFilter, secretLimits, type SecretStatus, type SecretType } from '@bey/contract'
import { and, asc, count, desc, eq, ilike, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import { countUpTo, type Total } from '../../platform/db/totals.ts'
import { apiKeys } from '../../tables/api-keys.ts'
import { secretGrants } from '../../tables/secret-grants.ts'
import { secretSyncs } from '../../tables/secret-syncs.ts'
import { secretUses } from '../../tables/secret-uses.ts'
import { metricSources } from '../../tables/metric-sources.ts'
import { secrets } from '../../tables/secrets.ts'
import { users } from '../../tables/users.ts'
import { secretOfSource } from './use-store.ts'

export type SecretRow = Awaited<ReturnType<typeof findSecret>> & {}
export type NewSecret = typeof secrets.$inferInsert
export type SecretChange = Partial<Omit<NewSecret, 'id' | 'organizationId'>>
export type SecretGrantRow = Awaited<ReturnType<typeof listGrants>>[number]

type SecretListFilter = {
  search?: string | undefined
  type?: SecretType | undefined
  status?: SecretStatus | undefined
  label?: string | undefined
  filter?: SecretFilter | undefined
  /** Only these; undefined: all. */
  ids?: readonly string[] | undefined
}

export type SecretPage = SecretListFilter & {
  page: number
  limit: number
  sort: 'name' | 'type' | 'valueChangedAt' | 'expiresAt' | 'lastReadAt' | 'createdAt'
  order?: 'asc' | 'desc' | undefined
}

const columns = {
  id: secrets.id,
  organizationId: secrets.organizationId,
  name: secrets.name,
  description: secrets.description,
  type: secrets.type,
  labels: secrets.labels,
  facts: secrets.facts,
  status: secrets.status,
  statusBefore: secrets.statusBefore,
  currentVersion: secrets.currentVersion,
  lastVersion: secrets.lastVersion,
  valueHash: secrets.valueHash,
  maxVersions: secrets.maxVersions,
  requireCas: secrets.requireCas,
  expiresAt: secrets.expiresAt,
  purgeAt: secrets.purgeAt,
  valueChangedAt: secrets.valueChangedAt,
  lastReadAt: secrets.lastReadAt,
  lastReadBy: secrets.lastReadBy,
  lastUsedAt: secrets.lastUsedAt,
  rotation: secrets.rotation,
  nextRotationAt: secrets.nextRotationAt,
  rotatedAt: secrets.rotatedAt,
  rotationFailure: secrets.rotationFailure,
  rotationFailedAt: secrets.rotationFailedAt,
  rotationAttempts: secrets.rotationAttempts,
  rotationRetryAt: secrets.rotationRetryAt,
  expiryNoticeFor: secrets.expiryNoticeFor,
  expiryNoticeDays: secrets.expiryNoticeDays,
  usedByCount: sql<number>`(select count(*)::int from ${secretUses}
    where ${secretUses.organizationId} = ${secrets.organizationId} and ${secretUses.secretId} = ${secrets.id}
      and ${secretUses.subjectType} <> 'user')
    + (select count(*)::int from ${secretSyncs}
      where ${secretSyncs.organizationId} = ${secrets.organizationId} and ${secretSyncs.secretId} = ${secrets.id})
    + (select count(*)::int from ${metricSources}
      where ${metricSources.organizationId} = ${secrets.organizationId} and ${secretOfSource} = ${secrets.id}::text)`,
  createdBy: secrets.createdBy,
  createdByName: users.name,
  createdByEmail: users.email,
  rowVersion: secrets.rowVersion,
  createdAt: secrets.createdAt,
  updatedAt: secrets.updatedAt,
}

function selectSecrets(db: Db) {
  return db.select(columns).from(secrets).leftJoin(users, eq(users.id, secrets.createdBy)).$dynamic()
}

/** One that is not deleted for good. */
export async function findSecret(db: Db, organizationId: number, id: string) {
  const rows = await selectSecrets(db).where(
    and(eq(secrets.organizationId, organizationId), eq(secrets.id, id), ne(secrets.status, 'deleted')),
  )
  return rows[0]
}

/** Several at once, in no order. */
export function findSecrets(db: Db, organizationId: number, ids: readonly string[]) {
  return selectSecrets(db).where(
    and(
      eq(secrets.organizationId, organizationId),
      inArray(secrets.id, [...ids]),
      ne(secrets.status, 'deleted'),
    ),
  )
}

/** The same by its name, as expressions name it. */
export async function findSecretByName(db: Db, organizationId: number, name: string) {
  const rows = await selectSecrets(db).where(
    and(eq(secrets.organizationId, organizationId), eq(secrets.name, name), ne(secrets.status, 'deleted')),
  )
  return rows[0]
}

/** Keeps others from changing the secret until the transaction ends. */
export async function lockSecret(db: Db, organizationId: number, id: string): Promise<void> {
  await db
    .select({ id: secrets.id })
    .from(secrets)
    .where(and(eq(secrets.organizationId, organizationId), eq(secrets.id, id)))
    .for('no key update')
}

export async function listSecrets(db: Db, organizationId: number, filter: SecretPage) {
  const where = whereOf(organizationId, filter)
  const isByTime = filter.sort !== 'name' && filter.sort !== 'type'
  const direction = filter.order ?? (isByTime && filter.sort !== 'expiresAt' ? 'desc' : 'asc')
  const total = await countUpTo(db, sql`select 1 from ${secrets} where ${where}`)
  const along = (isDescending: boolean) => {
    const order = isDescending ? desc : asc
    return [order(secrets[filter.sort]), order(secrets.id)]
  }
  const isDescending = direction === 'desc'
  const { offset, limit, isFromEnd } = windowOf(filter, total)
  // The page first: what is counted beside a secret would be counted for each one before the page, too.
  const ids = db
    .select({ id: secrets.id })
    .from(secrets)
    .where(where)
    .orderBy(...along(isDescending !== isFromEnd))
    .limit(limit)
    .offset(offset)
  const rows = await selectSecrets(db)
    // As an array, whose few ids are looked up one by one: joined, every secret of the organization would be read.
    .where(and(eq(secrets.organizationId, organizationId), sql`${secrets.id} = any (array(${ids.getSQL()}))`))
    .orderBy(...along(isDescending))
  return { rows, total }
}

/** Where a page lies; a page of the second half is counted from the end, where less is skipped. */
function windowOf({ page, limit }: SecretPage, { total, totalIsExact }: Total) {
  const offset = (page - 1) * limit
  if (totalIsExact === false || offset <= total / 2) return { offset, limit, isFromEnd: false }
  const end = Math.min(offset + limit, total)
  return { offset: total - end, limit: Math.max(0, end - offset), isFromEnd: true }
}

function whereOf(organizationId: number, filter: SecretListFilter): SQL | undefined {
  const { search, type, status, label, filter: question, ids } = filter
  const part = search ? containing(search) : undefined
  return and(
    eq(secrets.organizationId, organizationId),
    statusOf(status, question),
    type && eq(secrets.type, type),
    part === undefined ? undefined : or(ilike(secrets.name, part), ilike(secrets.description, part)),
    label ? labelOf(label) : undefined,
    question && questionOf(question),
    ids && inArray(secrets.id, [...ids]),
  )
}

function statusOf(status: SecretStatus | undefined, question: SecretFilter | undefined): SQL | undefined {
  if (status) return eq(secrets.status, status)
  if (question === 'pending_deletion') return eq(secrets.status, 'pending_deletion')
  return inArray(secrets.status, ['active', 'disabled'])
}

function labelOf(label: string): SQL {
  const [key = '', ...rest] = label.split('=')
  return rest.length === 0
    ? sql`${secrets.labels} ? ${key}`
    : sql`${secrets.labels} @> ${JSON.stringify({ [key]: rest.join('=') })}::jsonb`
}

const daysFrom = (days: number) => sql`now() + make_interval(days => ${days})`

function questionOf(question: SecretFilter): SQL | undefined {
  switch (question) {
    case 'expiring':
      return and(
        sql`${secrets.expiresAt} > now()`,
        sql`${secrets.expiresAt} <= ${daysFrom(secretLimits.expiringDays)}`,
      )
    case 'expired':
      return sql`${secrets.expiresAt} <= now()`
    case 'stale':
      return sql`${secrets.valueChangedAt} < ${daysFrom(-secretLimits.staleDays)}`
    case 'unused':
      return and(
        sql`${secrets.createdAt} < ${daysFrom(-secretLimits.unusedDays)}`,
        sql`coalesce(greatest(${secrets.lastReadAt}, ${secrets.lastUsedAt}), '-infinity') < ${daysFrom(-secretLimits.unusedDays)}`,
      )
    case 'duplicates':
      return sql`exists (select 1 from secrets other where other.organization_id = ${secrets.organizationId}
        and other.value_hash = ${secrets.valueHash} and other.id <> ${secrets.id}
        and other.status in ('active', 'disabled'))`
    case 'pending_deletion':
      return undefined
  }
}

export async function countSecrets(db: Db, organizationId: number): Promise<number> {
  const rows = await db
    .select({ count: count() })
    .from(secrets)
    .where(and(eq(secrets.organizationId, organizationId), ne(secrets.status, 'deleted')))
  return rows[0]?.count ?? 0
}

export async function insertSecret(db: Db, values: NewSecret): Promise<void> {
  await db.insert(secrets).values(values)
}

/** Changes a secret and counts the change. */
export async function updateSecret(
  db: Db,
  organizationId: number,
  id: string,
  change: SecretChange,
): Promise<void> {
  await db
    .update(secrets)
    .set({ ...change, rowVersion: sql`${secrets.rowVersion} + 1` })
    .where(and(eq(secrets.organizationId, organizationId), eq(secrets.id, id)))
}

/** Notes a read, a use or a notice, which is no change of the secret. */
export async function touchSecret(
  db: Db,
  organizationId: number,
  id: string,
  seen: Pick<
    SecretChange,
    'lastReadAt' | 'lastReadBy' | 'lastUsedAt' | 'expiryNoticeFor' | 'expiryNoticeDays'
  >,
): Promise<void> {
  await db
    .update(secrets)
    .set({ ...seen, updatedAt: sql`${secrets.updatedAt}` })
    .where(and(eq(secrets.organizationId, organizationId), eq(secrets.id, id)))
}

/** Others that are in use and have the same current value. */
export async function listDuplicates(db: Db, organizationId: number, id: string, valueHash: string) {
  return db
    .select({ id: secrets.id, name: secrets.name })
    .from(secrets)
    .where(
      and(
        eq(secrets.organizationId, organizationId),
        eq(secrets.valueHash, valueHash),
        ne(secrets.id, id),
        inArray(secrets.status, ['active', 'disabled']),
      ),
    )
    .orderBy(secrets.name)
    .limit(20)
}

/** Grants of several secrets at once, by secret. */
export async function grantsBySecret(db: Db, organizationId: number, ids: readonly string[]) {
  const bySecret = new Map<string, SecretGrantRow[]>()
  for (const grant of ids.length === 0 ? [] : await listGrants(db, organizationId, ids)) {
    bySecret.set(grant.secretId, [...(bySecret.get(grant.secretId) ?? []), grant])
  }
  return bySecret
}

export async function listGrants(db: Db, organizationId: number, ids: readonly string[]) {
  return db
    .select({
      secretId: secretGrants.secretId,
      subjectType: secretGrants.subjectType,
      subjectId: secretGrants.subjectId,
      subjectName: sql<string>`case ${secretGrants.subjectType}
        when 'role' then ${secretGrants.subjectId}
        else coalesce(${users.name}, ${apiKeys.name}, ${secretGrants.subjectId}) end`,
      access: secretGrants.access,
    })
    .from(secretGrants)
    .leftJoin(
      users,
      and(eq(secretGrants.subjectType, 'user'), sql`${users.id}::text = ${secretGrants.subjectId}`),
    )
    .leftJoin(
      apiKeys,
      and(
        eq(secretGrants.subjectType, 'api_key'),
        eq(apiKeys.organizationId, secretGrants.organizationId),
        sql`${apiKeys.id}::text = ${secretGrants.subjectId}`,
      ),
    )
    .where(and(eq(secretGrants.organizationId, organizationId), inArray(secretGrants.secretId, [...ids])))
    .orderBy(secretGrants.subjectType, secretGrants.subjectId)
}

export async function replaceGrants(
  db: Db,
  organizationId: number,
  secretId: string,
  grants: readonly (typeof secretGrants.$inferInsert)[],
): Promise<void> {
  await db
    .delete(secretGrants)
    .where(and(eq(secretGrants.organizationId, organizationId), eq(secretGrants.secretId, secretId)))
  if (grants.length > 0) await db.insert(secretGrants).values([...grants])
}
