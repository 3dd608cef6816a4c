import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'

import { ConfigError } from '../errors.ts'
import type { Log } from '../log.ts'

const migrationsFolder = fileURLToPath(new URL('../../../migrations', import.meta.url))
const accessFile = new URL('./access.sql', import.meta.url)

/** Any number, the same in every process: drizzle's migrator takes no lock of its own. */
const lockId = 7_239_001

/**
 * Brings the schema up to date; any number of processes may try at once. After the migrations comes
 * `access.sql` (grants, forced row-level security, functions and triggers), which is run again whenever it has
 * changed or a migration was applied. Throws ConfigError when a newer version was here first.
 */
export async function migrate(url: string, log: Log): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'bey-migrate' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(`set client_min_messages = warning`)
    await client.query('select pg_advisory_lock($1)', [lockId])
    const before = await appliedCount(client)
    const known = await knownCount()
    if (before > known) {
      throw new ConfigError(
        `The database was last used by a newer Bey (${before} migrations, of which this one knows ${known}). Update this one.`,
      )
    }
    await applyMigrations(drizzle(client), { migrationsFolder })
    const applied = (await appliedCount(client)) - before
    if (applied > 0) log.info({ applied }, 'Migrated the database')
    await applyAccess(client)
  } finally {
    // Ending the session gives the lock back.
    await client.end()
  }
}

async function knownCount(): Promise<number> {
  const journal: unknown = JSON.parse(await readFile(join(migrationsFolder, 'meta', '_journal.json'), 'utf8'))
  const entries =
    typeof journal === 'object' && journal !== null && 'entries' in journal ? journal.entries : []
  return Array.isArray(entries) ? entries.length : 0
}

async function appliedCount(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  )
  if (rows[0]?.exists !== true) return 0
  const counted = await client.query<{ count: number }>(
    'select count(*)::int as count from drizzle.__drizzle_migrations',
  )
  return counted.rows[0]?.count ?? 0
}

async function applyAccess(client: pg.Client): Promise<void> {
  const text = await readFile(accessFile, 'utf8')
  const migrations = await appliedCount(client)
  const fingerprint = createHash('sha256').update(`${migrations}\n${text}`).digest('hex')
  const { rows } = await client.query<{ note: string | null }>(
    `select obj_description('drizzle'::regnamespace, 'pg_namespace') as note`,
  )
  if (rows[0]?.note === fingerprint) return
  await client.query(`begin;\n${text}\n; comment on schema drizzle is '${fingerprint}'; commit`)
}
