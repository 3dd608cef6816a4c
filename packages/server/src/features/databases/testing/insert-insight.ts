import { databaseAdvice } from '../../../tables/database-advice.ts'
import { databaseLockMinutes } from '../../../tables/database-lock-minutes.ts'
import type { World } from '../../../testing/sweep.ts'

/** Open advice on a database; its key. */
export async function insertAdvice(
  { app, organizationId }: Pick<World, 'app' | 'organizationId'>,
  databaseId: string,
): Promise<string> {
  const key = 'setting:fsync'
  const content = { title: 'Sweep', detail: '', evidence: [], sql: null, queryIds: [] }
  const now = new Date()
  await app.database.withTenant(organizationId, (db) =>
    db.insert(databaseAdvice).values({
      databaseId,
      organizationId,
      key,
      rule: 'setting',
      content,
      firstSeenAt: now,
      lastSeenAt: now,
    }),
  )
  return key
}

/** A minute of a database in which one session waited. */
export async function insertLocks(
  { app, organizationId }: Pick<World, 'app' | 'organizationId'>,
  databaseId: string,
  at: string,
): Promise<void> {
  await app.database.withTenant(organizationId, (db) =>
    db
      .insert(databaseLockMinutes)
      .values({ databaseId, organizationId, at: new Date(at), waiting: 1, total: 2, sessions: [] }),
  )
}
