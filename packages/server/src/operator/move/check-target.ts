import pg from 'pg'

import { lockCall } from '../../platform/db/locks.ts'
import { connectOwner, describeUrl } from '../../platform/db/roles.ts'
import { isUnfinishedMove, moveMarker } from '../../platform/db/unfinished-move.ts'
import { ConfigError } from '../../platform/errors.ts'
import { countTables } from '../backup/count-tables.ts'

/**
 * Connects to the database that an instance is to be moved into, and marks it as unfinished until `finishTarget`. Only one move
 * at a time has it, for as long as the connection lives. Throws ConfigError for one that cannot be moved into.
 */
export async function claimTarget(url: string, source: pg.Client): Promise<pg.Client> {
  const client = await connectOwner(url, 'bey-move')
  try {
    await refuse(client, describeUrl(url), source)
    await client.query(`create schema if not exists ${moveMarker}`)
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

/** From now on a server starts with the database. */
export async function finishTarget(client: pg.Client): Promise<void> {
  await client.query('analyze')
  await client.query(`drop schema ${moveMarker}`)
}

async function refuse(client: pg.Client, where: string, source: pg.Client): Promise<void> {
  if ((await serverOf(client)) === (await serverOf(source))) {
    throw new ConfigError(
      `The database at ${where} is on the embedded server itself. Name one of another server.`,
    )
  }
  const { rows } = await client.query<{
    readOnly: boolean
    encoding: string
    mayCreate: boolean
    owner: string
    database: string
  }>(
    `select current_setting('transaction_read_only')::bool as "readOnly", current_setting('server_encoding') as encoding,
       has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as "mayCreate",
       current_user as owner, current_database() as database`,
  )
  const [found] = rows
  if (found === undefined) throw new Error('PostgreSQL did not describe itself')
  if (found.readOnly)
    throw new ConfigError(`The database at ${where} is read only, as a standby is. Name the primary.`)
  if (found.encoding !== 'UTF8') {
    throw new ConfigError(
      `The database at ${where} has the encoding ${found.encoding}. Create one with: create database … encoding 'UTF8' template template0`,
    )
  }
  if (!found.mayCreate) {
    throw new ConfigError(
      `The user "${found.owner}" may not create schemas and tables in the database at ${where}. Let an administrator run once:\n` +
        `  alter database ${pg.escapeIdentifier(found.database)} owner to ${pg.escapeIdentifier(found.owner)};`,
    )
  }
  const { rows: locks } = await client.query<{ taken: boolean }>(
    `select ${lockCall('try_lock', 'databaseMove')} as taken`,
  )
  if (locks[0]?.taken !== true) {
    throw new ConfigError(
      `Another move into the database at ${where} is under way, or was killed a moment ago. Try again when it has ended.`,
    )
  }
  if (await isUnfinishedMove(client)) return
  const tables = await countTables(client)
  if (tables === 0) return
  throw new ConfigError(
    `The database at ${where} is not empty: it has ${tables} tables. Name an empty one; nothing in it was changed.`,
  )
}

/** Tells servers apart, a copy of one from itself as well. */
async function serverOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ server: string }>(
    `select system_identifier::text || ' ' || pg_postmaster_start_time()::text as server from pg_control_system()`,
  )
  return rows[0]?.server ?? ''
}
