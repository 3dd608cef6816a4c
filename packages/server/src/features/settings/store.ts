import { eq } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { userSettings } from '../../tables/user-settings.ts'

export type SettingsRow = { theme: object; time: object }

const columns = { theme: userSettings.theme, time: userSettings.time }

/** Undefined for a user who chose nothing yet. */
export async function readSettings(db: Db, userId: number): Promise<SettingsRow | undefined> {
  const rows = await db.select(columns).from(userSettings).where(eq(userSettings.userId, userId))
  return rows[0]
}

/** Writes one part and leaves the other as it is. */
export async function writeSettings(
  db: Db,
  userId: number,
  part: Pick<SettingsRow, 'theme'> | Pick<SettingsRow, 'time'>,
): Promise<SettingsRow | undefined> {
  const rows = await db
    .insert(userSettings)
    .values({ userId, ...part })
    .onConflictDoUpdate({ target: userSettings.userId, set: { ...part, updatedAt: new Date() } })
    .returning(columns)
  return rows[0]
}
