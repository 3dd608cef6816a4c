import { type SQL, sql } from 'drizzle-orm'
import { firstUuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { recordUsage, type UsageEvent } from '../../../platform/usage/record.ts'
import type { BillingParts } from '../parts.ts'

const batch = 5_000

type Attempt = { id: string; organizationId: number; webhookId: string; name: string; atMs: number }

/** Meters attempts to deliver webhooks since an instant that are not in the ledger. Answers how many there were. */
export async function meterWebhookAttempts(
  { database }: Pick<BillingParts, 'database'>,
  since: Date,
): Promise<number> {
  const attempts = await database.asSystem('meter attempts of webhooks', (db) =>
    listAttempts(
      db,
      sql`a.id >= ${firstUuidv7(since.getTime())}::uuid
        and not exists (select from usage_events e where e.organization_id = a.organization_id and e.source = 'webhook'
          and e.event_id = a.id::text)`,
    ),
  )
  for (const [organizationId, all] of Map.groupBy(attempts, (attempt) => attempt.organizationId)) {
    await database.withTenant(organizationId, (db) => recordUsage(db, organizationId, all.map(attemptEvent)))
  }
  return attempts.length
}

/** The first attempts for which a condition on `a` holds. */
export async function listAttempts(db: Db, where: SQL): Promise<Attempt[]> {
  const { rows } = await db.execute<Attempt>(sql`
    select a.id, a.organization_id as "organizationId", w.id as "webhookId", w.name,
      extract(epoch from a.at)::float8 * 1000 as "atMs"
    from webhook_attempts a
    join webhook_deliveries d on d.organization_id = a.organization_id and d.id = a.delivery_id
    join webhooks w on w.organization_id = a.organization_id and w.id = d.webhook_id
    where ${where} order by a.id limit ${batch}`)
  return rows
}

export function attemptEvent({ id, webhookId, name, atMs }: Attempt): UsageEvent {
  return {
    source: 'webhook',
    id,
    meter: 'webhook_attempts',
    value: '1',
    at: new Date(atMs),
    subject: { resource: { id: webhookId, name } },
  }
}
