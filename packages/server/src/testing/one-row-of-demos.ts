import type { Db } from '../platform/db/database.ts'
import { demos } from '../tables/demos.ts'

/** Makes an organization a demo. */
export async function insertDemoRow(db: Db, organizationId: number): Promise<void> {
  await db.insert(demos).values({ organizationId, endsAt: new Date(), seenAt: new Date() })
}
