import { eq, sql } from 'drizzle-orm'
import type { ServerSeal } from '../../platform/crypto/server-seal.ts'
import type { Db } from '../../platform/db/database.ts'
import { instanceSettings } from '../../tables/instance-settings.ts'

/** What is stored under a name, with its secret opened. */
export type StoredSetting = { value: object; secret: string | undefined }

const context = (name: string) => `instance-setting:${name}`

/** Needs `asSystem`. */
export async function readSetting(
  db: Db,
  seal: ServerSeal,
  name: string,
): Promise<StoredSetting | undefined> {
  const rows = await db
    .select({ value: instanceSettings.value, secret: instanceSettings.secret })
    .from(instanceSettings)
    .where(eq(instanceSettings.name, name))
  const [row] = rows
  if (row === undefined) return undefined
  return {
    value: row.value,
    secret: row.secret ? seal.unseal(row.secret, context(name)).toString() : undefined,
  }
}

/** Replaces a setting. Its secret: a text, null for none, undefined to keep the one that is there. */
export async function writeSetting(
  db: Db,
  seal: ServerSeal,
  name: string,
  { value, secret }: { value: object; secret: string | null | undefined },
): Promise<void> {
  const sealed = typeof secret === 'string' ? seal.seal(secret, context(name)) : null
  await db
    .insert(instanceSettings)
    .values({ name, value, secret: sealed })
    .onConflictDoUpdate({
      target: instanceSettings.name,
      set: { value, updatedAt: sql`now()`, ...(secret === undefined ? {} : { secret: sealed }) },
    })
}

/** Whether there was one. */
export async function deleteSetting(db: Db, name: string): Promise<boolean> {
  const rows = await db
    .delete(instanceSettings)
    .where(eq(instanceSettings.name, name))
    .returning({ name: instanceSettings.name })
  return rows.length > 0
}
