import type { Db } from './database.ts'
import { statement } from './prepared.ts'

/**
 * Names the user in a transaction of `withTenant` or `readTenant`, for tables whose policies look at the
 * organization and at the user. Holds until the transaction ends.
 */
export async function actAs(db: Db, userId: number): Promise<void> {
  await setUser(db, [String(userId)])
}

const setUser = statement('act_as', `select set_config('bey.user_id', $1, true)`)
