import { type Health, healthy } from '@bey/contract'
import { eq } from 'drizzle-orm'

import type { Database } from '../../platform/db/database.ts'
import { entitySource, type InventorySource } from '../../platform/inventory.ts'
import { users } from '../../tables/users.ts'
import { webhooks } from '../../tables/webhooks.ts'

/** Webhooks for the inventory. */
export function webhookResources(database: Pick<Database, 'readTenant'>): InventorySource {
  return entitySource(database, 'webhook', async (db, { organizationId }) => {
    const rows = await db
      .select({
        id: webhooks.id,
        name: webhooks.name,
        status: webhooks.status,
        failingSince: webhooks.failingSince,
        disabledReason: webhooks.disabledReason,
        createdBy: webhooks.createdBy,
        createdByName: users.name,
        createdAt: webhooks.createdAt,
      })
      .from(webhooks)
      .leftJoin(users, eq(users.id, webhooks.createdBy))
      .where(eq(webhooks.organizationId, organizationId))
    return rows.map((row) => ({ ...row, health: healthOfWebhook(row) }))
  })
}

/** Null while it is paused: nothing is sent, so nothing can fail. */
function healthOfWebhook(row: {
  status: 'enabled' | 'paused' | 'auto_disabled'
  failingSince: Date | null
  disabledReason: string | null
}): Health | null {
  const since = row.failingSince?.toISOString() ?? null
  const of = (state: Health['state'], reason: string, detail: string): Health => ({
    state,
    reason,
    detail,
    since,
    object: null,
  })
  if (row.status === 'paused') return null
  if (row.status === 'auto_disabled') {
    return of('failing', 'Disabled', row.disabledReason ?? 'It was turned off after too many failures.')
  }
  return row.failingSince ? of('degraded', 'DeliveriesFail', 'Its last deliveries failed.') : healthy
}
