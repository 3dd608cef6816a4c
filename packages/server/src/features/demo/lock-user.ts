import { eq } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { users } from '../../tables/users.ts'

/** Takes turns between requests of one user, so that two at once cannot both make a demo. */
export async function lockUser(db: Db, userId: number): Promise<void> {
  await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
}
