import type { User } from '@bey/contract'
import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { presentUser } from './present.ts'
import { organizationsOf, userById } from './store.ts'

/**
 * A user as replies carry them. `method` is how the session began whose reply it is for. Throws `unauthenticated` where the
 * account does not exist any more.
 */
export async function loadUser(
  db: Db,
  userId: number,
  developerEmail: string | undefined,
  method?: string,
): Promise<User> {
  const row = await userById(db, userId)
  if (row === undefined) throw new AppError('unauthenticated', 'This account does not exist any more.')
  return presentUser(row, await organizationsOf(db, userId, method), developerEmail)
}
