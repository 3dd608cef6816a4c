import type { DeliveryStatus, Webhook } from '@bey/contract'
import { and, asc, desc, eq, ilike, isNull, or, type SQL, sql } from 'drizzle-orm'
import { firstUuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import { containing } from '../../platform/db/like.ts'
import { countUpTo, exactTotal } from '../../platform/db/totals.ts'
import { users } from '../../tables/users.ts'
import { webhookAttempts, webhookDeliveries } from '../../tables/webhook-deliveries.ts'
import { webhooks, webhookSecrets } from '../../tables/webhooks.ts'

export type WebhookRow = Awaited<ReturnType<typeof selectWebhooks>>[number]
export type DeliveryRow = Awaited<ReturnType<typeof selectDeliveries>>[number]

export type WebhookFilter = {
  search?: string | undefined
  status?: 'enabled' | 'failing' | 'paused' | 'auto_disabled' | undefined
  event?: string | undefined
  sort: 'name' | 'createdAt'
  order?: 'asc' | 'desc' | undefined
  page: number
  limit: number
}

const waiting = sql<number>`(select count(*)::int from (select 1 from webhook_deliveries d
  where d.webhook_id = ${webhooks.id} and d.status in ('pending', 'sending', 'retrying') limit ${exactTotal}) counted)`

const columns = {
  id: webhooks.id,
  name: webhooks.name,
  url: webhooks.url,
  events: webhooks.events,
  statuses: webhooks.statuses,
  workflowIds: webhooks.workflowIds,
  clusterIds: webhooks.clusterIds,
  headerNames: webhooks.headerNames,
  isOrdered: webhooks.isOrdered,
  status: webhooks.status,
  failingSince: webhooks.failingSince,
  disabledReason: webhooks.disabledReason,
  lastAttemptAt: webhooks.lastAttemptAt,
  lastStatusCode: webhooks.lastStatusCode,
  lastSucceeded: webhooks.lastSucceeded,
  createdBy: webhooks.createdBy,
  createdByName: users.name,
  createdByEmail: users.email,
  createdAt: webhooks.createdAt,
  previousSecretUntil: sql<string | null>`(select max(s.valid_until) from webhook_secrets s
    where s.webhook_id = ${webhooks.id} and s.valid_until > now())`,
  waiting,
  lastError: sql<string | null>`(select d.last_error from webhook_deliveries d
    where d.webhook_id = ${webhooks.id} and d.last_error is not null and not d.is_test order by d.id desc limit 1)`,
  audit: sql<Webhook['audit']>`(select json_build_object('classes', s.classes, 'sentThrough', s.sent,
      'behind', greatest(0, coalesce(h.seq, 0) - s.sent))
    from (select s.organization_id, s.classes, coalesce((select s.delivery_through from webhook_deliveries d
        where d.id = s.delivery_id and d.status = 'delivered'), s.position) as sent
      from audit_streams s where s.webhook_id = ${webhooks.id}) s
    left join audit_heads h on h.organization_id = s.organization_id)`,
}

function selectWebhooks(db: Db, where: SQL | undefined) {
  return db
    .select(columns)
    .from(webhooks)
    .leftJoin(users, eq(users.id, webhooks.createdBy))
    .where(where)
    .$dynamic()
}

const byId = (organizationId: number, id: string) =>
  and(eq(webhooks.organizationId, organizationId), eq(webhooks.id, id))

export async function listWebhooks(db: Db, organizationId: number, filter: WebhookFilter) {
  const conditions: (SQL | undefined)[] = [eq(webhooks.organizationId, organizationId)]
  if (filter.search) {
    const part = containing(filter.search)
    conditions.push(or(ilike(webhooks.name, part), ilike(webhooks.url, part)))
  }
  if (filter.status === 'failing') {
    conditions.push(sql`${webhooks.status} = 'enabled' and ${webhooks.failingSince} is not null`)
  } else if (filter.status === 'enabled') {
    conditions.push(sql`${webhooks.status} = 'enabled' and ${webhooks.failingSince} is null`)
  } else if (filter.status) conditions.push(eq(webhooks.status, filter.status))
  if (filter.event) conditions.push(sql`${filter.event} = any (${webhooks.events})`)
  const where = and(...conditions)
  const direction = (filter.order ?? (filter.sort === 'name' ? 'asc' : 'desc')) === 'asc' ? asc : desc
  const by = filter.sort === 'name' ? sql`lower(${webhooks.name})` : webhooks.createdAt
  const [rows, total] = await Promise.all([
    selectWebhooks(db, where)
      .orderBy(direction(by), asc(webhooks.id))
      .limit(filter.limit)
      .offset((filter.page - 1) * filter.limit),
    countUpTo(db, sql`select 1 from ${webhooks} where ${where}`),
  ])
  return { rows, ...total }
}

export async function findWebhook(
  db: Db,
  organizationId: number,
  id: string,
): Promise<WebhookRow | undefined> {
  const [row] = await selectWebhooks(db, byId(organizationId, id))
  return row
}

/** Keeps a webhook from being changed by others until the transaction ends; false where there is none. */
export async function lockWebhook(db: Db, organizationId: number, id: string): Promise<boolean> {
  const rows = await db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(byId(organizationId, id))
    .for('update')
  return rows.length > 0
}

export async function countWebhooks(db: Db, organizationId: number): Promise<number> {
  const { total } = await countUpTo(
    db,
    sql`select 1 from ${webhooks} where organization_id = ${organizationId}`,
  )
  return total
}

export async function insertWebhook(db: Db, values: typeof webhooks.$inferInsert): Promise<void> {
  await db.insert(webhooks).values(values)
}

export async function updateWebhook(
  db: Db,
  organizationId: number,
  id: string,
  values: Partial<typeof webhooks.$inferInsert>,
): Promise<void> {
  // A change of nothing, or of the classes of an audit stream alone, which stand in another table.
  if (Object.values(values).every((value) => value === undefined)) return
  await db.update(webhooks).set(values).where(byId(organizationId, id))
}

export async function deleteWebhook(db: Db, organizationId: number, id: string): Promise<void> {
  await db.delete(webhooks).where(byId(organizationId, id))
}

export async function insertSecret(db: Db, values: typeof webhookSecrets.$inferInsert): Promise<void> {
  await db.insert(webhookSecrets).values(values)
}

/** Lets the present secret of a webhook sign for so many hours more, and ends the one before it. */
export async function replaceSecret(db: Db, organizationId: number, webhookId: string, overlapHours: number) {
  const of = and(eq(webhookSecrets.organizationId, organizationId), eq(webhookSecrets.webhookId, webhookId))
  await db.delete(webhookSecrets).where(and(of, sql`${webhookSecrets.validUntil} is not null`))
  await db
    .update(webhookSecrets)
    .set({
      validUntil: sql`date_trunc('milliseconds', now()) + make_interval(secs => ${overlapHours * 3600})`,
    })
    .where(and(of, isNull(webhookSecrets.validUntil)))
}

export type DeliveryFilter = {
  status?: DeliveryStatus | undefined
  type?: string | undefined
  page: number
  limit: number
}

const deliveryColumns = {
  id: webhookDeliveries.id,
  eventId: webhookDeliveries.eventId,
  type: webhookDeliveries.type,
  status: webhookDeliveries.status,
  isTest: webhookDeliveries.isTest,
  attempts: webhookDeliveries.attemptNumber,
  createdAt: webhookDeliveries.createdAt,
  nextAt: webhookDeliveries.nextAt,
  finishedAt: webhookDeliveries.finishedAt,
  lastStatusCode: webhookDeliveries.lastStatusCode,
  lastError: webhookDeliveries.lastError,
  lastDurationMs: webhookDeliveries.lastDurationMs,
}

function selectDeliveries(db: Db, where: SQL | undefined) {
  return db.select(deliveryColumns).from(webhookDeliveries).where(where).$dynamic()
}

const ofWebhook = (organizationId: number, webhookId: string) =>
  and(eq(webhookDeliveries.organizationId, organizationId), eq(webhookDeliveries.webhookId, webhookId))

export async function listDeliveries(
  db: Db,
  organizationId: number,
  webhookId: string,
  filter: DeliveryFilter,
) {
  const where = and(
    ofWebhook(organizationId, webhookId),
    filter.status ? eq(webhookDeliveries.status, filter.status) : undefined,
    filter.type ? eq(webhookDeliveries.type, filter.type) : undefined,
  )
  const [rows, total] = await Promise.all([
    selectDeliveries(db, where)
      .orderBy(desc(webhookDeliveries.id))
      .limit(filter.limit)
      .offset((filter.page - 1) * filter.limit),
    countUpTo(db, sql`select 1 from ${webhookDeliveries} where ${where}`),
  ])
  return { rows, ...total }
}

export async function findDelivery(db: Db, organizationId: number, webhookId: string, id: string) {
  const [row] = await db
    .select({ ...deliveryColumns, payload: webhookDeliveries.payload, names: webhookDeliveries.names })
    .from(webhookDeliveries)
    .where(and(ofWebhook(organizationId, webhookId), eq(webhookDeliveries.id, id)))
  return row
}

/** The newest 100 attempts, oldest first. */
export async function listAttempts(db: Db, organizationId: number, deliveryId: string) {
  const rows = await db
    .select()
    .from(webhookAttempts)
    .where(
      and(eq(webhookAttempts.organizationId, organizationId), eq(webhookAttempts.deliveryId, deliveryId)),
    )
    .orderBy(desc(webhookAttempts.number))
    .limit(100)
  return rows.toReversed()
}

export async function insertDelivery(db: Db, values: typeof webhookDeliveries.$inferInsert): Promise<void> {
  await db.insert(webhookDeliveries).values(values)
}

export type ReplayFilter =
  | { deliveryId: string }
  | { from: Date; to: Date; statuses: readonly DeliveryStatus[] }

/** Makes deliveries pending again, the oldest first, at most `limit`. Those that are waiting for their first attempt stay. */
export async function replayDeliveries(
  db: Db,
  organizationId: number,
  webhookId: string,
  filter: ReplayFilter,
  limit: number,
): Promise<number> {
  const chosen =
    'deliveryId' in filter
      ? sql`d.id = ${filter.deliveryId} and d.status not in ('pending', 'sending')`
      : sql`d.id >= ${firstUuidv7(filter.from.getTime())}::uuid and d.id < ${firstUuidv7(filter.to.getTime())}::uuid
          and d.status in (${sql.join(
            filter.statuses.map((status) => sql`${status}`),
            sql`, `,
          )})`
  const { rowCount } = await db.execute(sql`
    update webhook_deliveries u set status = 'pending', attempts = 0, next_at = now(), finished_at = null
    where u.organization_id = ${organizationId} and u.id in (
      select d.id from webhook_deliveries d
      where d.organization_id = ${organizationId} and d.webhook_id = ${webhookId} and ${chosen}
      order by d.id limit ${limit})`)
  return rowCount ?? 0
}

/** Ends whatever waits for a webhook. */
export async function cancelWaiting(db: Db, organizationId: number, webhookId: string): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ status: 'cancelled', finishedAt: sql`now()` })
    .where(
      and(ofWebhook(organizationId, webhookId), sql`${webhookDeliveries.status} in ('pending', 'retrying')`),
    )
}

/** Deletes deliveries that ended before `before`, with their attempts; at most so many at once. Works across organizations. */
export async function deleteOldDeliveries(db: Db, before: Date, limit: number): Promise<number> {
  const { rowCount } = await db.execute(sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries where finished_at < ${before.toISOString()}::timestamptz limit ${limit})`)
  return rowCount ?? 0
}
