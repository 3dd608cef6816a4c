import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'

import { ConfigError } from '../errors.ts'
import type { Log } from '../log.ts'
import { lockCall } from './locks.ts'
import { refuseUnfinishedMove } from './unfinished-move.ts'

const migrationsFolder = fileURLToPath(new URL('../../../migrations', import.meta.url))
const accessFile = new URL('./access.sql', import.meta.url)

/**
 * Brings the schema up to date; any number of processes may try at once. After the migrations comes
 * `access.sql` (grants, forced row-level security, functions and triggers), which is run again whenever it has
 * changed or a migration was applied. Throws ConfigError for a database of a newer version, of an incomplete
 * chain that the baseline replaced, and for one that a move has not finished, unless it is the move that asks.
 */
export async function migrate(url: string, log: Log, isMove = false): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'bey-migrate' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(`set client_min_messages = warning`)
    // Drizzle's migrator takes no lock of its own.
    await client.query(`select ${lockCall('lock', 'migration')}`)
    if (!isMove) await refuseUnfinishedMove(client)
    const before = await appliedTimes(client)
    refuseOtherChain(before, await knownMigrations())
    await applyMigrations(drizzle(client), { migrationsFolder })
    const applied = (await appliedTimes(client)).length - before.length
    if (applied > 0) log.info({ applied }, 'Migrated the database')
    await applyAccess(client)
  } finally {
    // Ending the session gives the lock back.
    await client.end()
  }
}

/**
 * The first migration is a baseline with the time of the last migration that it replaced: a database with all
 * of those has that time among its own and goes on from there; one with some of them cannot.
 */
function refuseOtherChain(applied: number[], known: number[]): void {
  const [baseline] = known
  if (applied.length === 0 || baseline === undefined) return
  if (!applied.includes(baseline)) {
    throw new ConfigError(
      'The database was last used by a Bey from before the first release, whose migrations were replaced by one. ' +
        'Start Bey with an empty database or data directory, or once with the last commit that had these migrations ' +
        '(packages/server/migrations/0039_definitions-in-order.sql).',
    )
  }
  const newer = applied.filter((time) => time > Math.max(...known)).length
  if (newer > 0) {
    throw new ConfigError(
      `The database was last used by a newer Bey (${newer} migrations that this one does not know). Update this one.`,
    )
  }
}

/** Times of the migrations that this Bey knows, in their order. */
export async function knownMigrations(): Promise<number[]> {
  const journal: unknown = JSON.parse(await readFile(join(migrationsFolder, 'meta', '_journal.json'), 'utf8'))
  const entries =
    typeof journal === 'object' && journal !== null && 'entries' in journal ? journal.entries : []
  if (!Array.isArray(entries)) return []
  return entries.map((entry: { when: number }) => entry.when)
}

async function appliedTimes(client: pg.Client): Promise<number[]> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  )
  if (rows[0]?.exists !== true) return []
  const applied = await client.query<{ created_at: string }>(
    'select created_at from drizzle.__drizzle_migrations order by created_at',
  )
  return applied.rows.map((row) => Number(row.created_at))
}

async function applyAccess(client: pg.Client): Promise<void> {
  const text = await readFile(accessFile, 'utf8')
  const migrations = (await appliedTimes(client)).length
  const fingerprint = createHash('sha256').update(`${migrations}\n${text}`).digest('hex')
  const { rows } = await client.query<{ note: string | null }>(
    `select obj_description('drizzle'::regnamespace, 'pg_namespace') as note`,
  )
  if (rows[0]?.note === fingerprint) return
  await client.query(`begin;\n${text}\n; comment on schema drizzle is '${fingerprint}'; commit`)
}
