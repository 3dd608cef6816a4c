import type { Database, Db } from '../platform/db/database.ts'
import { recordUsage, type UsageEvent } from '../platform/usage/record.ts'
import { makeCosts } from '../features/billing/costs/make.ts'
import { proveBooks } from '../features/billing/costs/prove.ts'
import { addUpUsage } from '../platform/usage/sums.ts'
import { priceVersions } from '../tables/price-versions.ts'
import { usageGaps, usageMarks } from '../tables/usage.ts'

/** A run of a team. */
export const usageEvent = (id: string): UsageEvent => ({
  source: 'test',
  id,
  meter: 'runs',
  value: '1',
  at: new Date(),
  subject: { labels: { team: 'shop' } },
})

/** Usage of an organization, and how it is kept; its sums come with `insertUsageSums`. */
export async function insertUsageRows(db: Db, organizationId: number): Promise<void> {
  const at = new Date()
  const entity = { organizationId, entityType: 'cluster', entityId: '1' }
  await db.insert(usageMarks).values({ ...entity, meteredTo: at })
  await db.insert(usageGaps).values({ ...entity, name: 'one', fromAt: at, toAt: at })
  await db.insert(priceVersions).values({
    organizationId,
    version: 1,
    currency: 'EUR',
    prices: [],
    holdsFrom: new Date('2026-01-01T00:00:00Z'),
    note: '',
  })
}

/** An event with its sums, which the system alone makes. */
export async function insertUsageSums(database: Database, organizationId: number): Promise<void> {
  await database.withTenant(organizationId, (db) => recordUsage(db, organizationId, [usageEvent('one')]))
  await addUpUsage(database)
  await makeCosts(database)
  await proveBooks(database, organizationId, new Date())
}
