import { sql } from 'drizzle-orm'

import { recordUsage } from '../../../platform/usage/record.ts'
import type { BillingParts } from '../parts.ts'

const batch = 5_000

type Attempt = { id: string; organizationId: number; webhookId: string; name: string; atMs: number }

/** Meters attempts to deliver webhooks since an instant that are not in the ledger. Answers how many there were. */
export async function meterWebhookAttempts(
  { database }: Pick<BillingParts, 'database'>,
  since: Date,
): Promise<number> {
  const attempts = await database.asSystem('meter attempts of webhooks', async (db) => {
    const { rows } = await db.execute<Attempt>(sql`
      select a.id, a.organization_id as "organizationId", w.id as "webhookId", w.name,
        extract(epoch from a.at)::float8 * 1000 as "atMs"
      from webhook_attempts a
      join webhook_deliveries d on d.organization_id = a.organization_id and d.id = a.delivery_id
      join webhooks w on w.organization_id = a.organization_id and w.id = d.webhook_id
      where a.id >= ${firstId(since)}::uuid
        and not exists (select from usage_events e where e.organization_id = a.organization_id and e.source = 'webhook'
          and e.event_id = a.id::text)
      order by a.id limit ${batch}`)
    return rows
  })
  for (const [organizationId, all] of Map.groupBy(attempts, (attempt) => attempt.organizationId)) {
    await database.withTenant(organizationId, (db) =>
      recordUsage(
        db,
        organizationId,
        all.map(({ id, webhookId, name, atMs }) => ({
          source: 'webhook',
          id,
          meter: 'webhook_attempts',
          value: '1',
          at: new Date(atMs),
          subject: { resource: { id: webhookId, name } },
        })),
      ),
    )
  }
  return attempts.length
}

/** The least UUIDv7 of an instant: ids of attempts are in the order of time (RFC 9562). */
function firstId(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
