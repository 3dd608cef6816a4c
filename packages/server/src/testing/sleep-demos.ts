import type { Database } from '../platform/db/database.ts'

/** Puts the demos that a test made to sleep: their clusters and databases would run beside all tests that follow. */
export async function sleepDemos(database: Database): Promise<void> {
  await database.ownerPool.query(
    `update demos set seen_at = now() - interval '1 hour', asleep_since = now() - interval '1 minute'
     where created_by is not null`,
  )
}
