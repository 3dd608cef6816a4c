import type { SharedCostRule } from '@bey/contract/billing/usage-meters'
import { sql } from 'drizzle-orm'

import type { Db } from '../db/database.ts'

/** How an organization keeps its books. */
export type Books = { timeZone: string; sharedCost: SharedCostRule }

export async function readBooks(db: Db, organizationId: number): Promise<Books> {
  const { rows } = await db.execute<{ timeZone: string; sharedCost: SharedCostRule | null }>(sql`
    select coalesce(s.time_zone, o.time_zone) as "timeZone", s.shared_cost as "sharedCost"
    from organizations o left join usage_settings s on s.organization_id = o.id where o.id = ${organizationId}`)
  return { timeZone: rows[0]?.timeZone ?? 'UTC', sharedCost: rows[0]?.sharedCost ?? 'requests' }
}
