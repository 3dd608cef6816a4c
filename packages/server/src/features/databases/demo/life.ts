import type { Client } from 'pg'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { DemoLife } from '../../../platform/demo.ts'
import { databaseBackups } from '../../../tables/database-backups.ts'
import { databases } from '../../../tables/databases.ts'
import { users } from '../../../tables/users.ts'
import { startBackup } from '../backups/backup-acts.ts'
import { removeObjects } from '../backups/remove-objects.ts'
import type { OpenBackupStore } from '../backups/backup-store.ts'
import { createOperations } from '../operate.ts'
import { type DatabaseParts, placementOf } from '../parts.ts'
import { type DatabaseRow, findDatabase, lockDatabase } from '../store.ts'
import { asCaller, demoDatabaseName } from './demo.ts'
import { askOnce, makeTables, openShop } from './shop-load.ts'

type Parts = DatabaseParts & { openStore: OpenBackupStore }

/**
 * Keeps the database of a demo under light load with a first backup; hibernates it while nobody looks, and resumes it. A
 * database that the visitor stopped, restored or deleted is left as it is.
 */
export function databasesLife(parts: Parts) {
  const { database, providers, credentials } = parts
  const { embedded } = providers
  const operations = createOperations(parts)
  const open = new Map<string, Client>()
  /** Databases that were hibernated here because nobody looked. */
  const asleep = new Set<string>()
  /** Databases that were looked at since this process started. */
  const known = new Set<string>()

  async function find(organizationId: number) {
    return database.readTenant(organizationId, async (db) => {
      const [found] = await db
        .select({ id: databases.id, userId: users.id, name: users.name, email: users.email })
        .from(databases)
        .innerJoin(users, eq(users.id, databases.createdBy))
        .where(
          and(
            eq(databases.organizationId, organizationId),
            eq(databases.name, demoDatabaseName),
            eq(databases.provider, 'embedded'),
            isNull(databases.deletedAt),
          ),
        )
      const row = found && (await findDatabase(db, organizationId, found.id))
      return row && found && { row, user: { id: found.userId, name: found.name, email: found.email } }
    })
  }

  async function close(id: string): Promise<void> {
    const client = open.get(id)
    open.delete(id)
    await client?.end().catch(() => undefined)
  }

  async function connected(row: DatabaseRow): Promise<Client> {
    const before = open.get(row.id)
    if (before !== undefined) return before
    const { organizationId, credentialSecretId, databaseName, username, port } = row
    if (credentialSecretId === null || port === null) throw new Error('The database has no address yet')
    const { password } = await credentials.read(organizationId, credentialSecretId)
    const client = await openShop({
      host: '127.0.0.1',
      port,
      database: databaseName,
      user: username,
      password,
    })
    open.set(row.id, client)
    return client
  }

  async function work(row: DatabaseRow, user: Parameters<typeof asCaller>[1]): Promise<void> {
    const { organizationId, id } = row
    try {
      const client = await connected(row)
      const isNew = await makeTables(client)
      await askOnce(client, Math.random)
      const hasBackup =
        !isNew &&
        (await database.readTenant(organizationId, (db) =>
          db.$count(
            databaseBackups,
            and(eq(databaseBackups.organizationId, organizationId), eq(databaseBackups.databaseId, id)),
          ),
        )) > 0
      if (hasBackup) return
      await database.withTenant(organizationId, async (db) => {
        const locked = await lockDatabase(db, organizationId, id)
        if (locked?.status === 'available')
          await startBackup(parts, db, locked, 'manual', asCaller(organizationId, user))
      })
    } catch (error) {
      // The connection may be one to a server that was restarted.
      await close(id)
      throw error
    }
  }

  return {
    async tend({ organizationId, isAsleep }) {
      const found = await find(organizationId)
      if (found === undefined) return
      const { row, user } = found
      const placement = placementOf(row)
      if (placement === null || !embedded.isHere(placement)) return
      const caller = asCaller(organizationId, user)
      // An earlier process hibernated it: which databases did not fall asleep by themselves is not kept.
      if (isAsleep && row.status === 'hibernated' && !known.has(row.id)) asleep.add(row.id)
      known.add(row.id)
      if (isAsleep) {
        await close(row.id)
        if (row.status !== 'available') return
        asleep.add(row.id)
        await operations.operate(row.id, 'hibernate', caller)
      } else if (row.status === 'hibernated' && asleep.has(row.id)) {
        asleep.delete(row.id)
        await operations.operate(row.id, 'resume', caller)
      } else if (row.status === 'available') {
        await work(row, user)
      }
    },

    async end(organizationId) {
      // Deleted first: what keeps servers running leaves these alone, and none comes back while its files are removed.
      const rows = await database.withTenant(organizationId, (db) =>
        db
          .update(databases)
          .set({ status: 'deleted', deletedAt: sql`now()` })
          .where(eq(databases.organizationId, organizationId))
          .returning({
            id: databases.id,
            machineId: databases.machineId,
            dir: databases.dir,
            port: databases.port,
          }),
      )
      for (const { id, machineId, dir, port } of rows) {
        await close(id)
        asleep.delete(id)
        known.delete(id)
        if (machineId === null || dir === null || port === null) continue
        const placement = { machineId, dir, port }
        if (!embedded.isHere(placement)) continue
        await embedded.stop(id, placement)
        await embedded.release(placement)
        await embedded.remove(placement)
      }
      await removeObjects(parts, organizationId)
    },

    async closeAll(): Promise<void> {
      for (const id of open.keys()) await close(id)
    },
  } satisfies DemoLife & { closeAll(): Promise<void> }
}
