import pg from 'pg'

import { ConfigError } from '../errors.ts'
import { isLost } from './failure.ts'
import { isStandby } from './standby.ts'

const standbyTimeoutMs = 10_000
const createAppRoleSql = 'create role bey_app nologin noinherit'
const grantAppRoleSql = 'grant bey_app to current_user'

/**
 * Makes the application role and lets the owner take it. Throws ConfigError: what `connectOwner` refuses, and, where the owner
 * may not create roles, the SQL that an administrator has to run.
 */
export async function ensureAppRole(url: string): Promise<void> {
  const client = await connectOwner(url, 'bey-start')
  try {
    const { rows } = await client.query<{ exists: boolean; owner: string }>(
      `select current_user as owner, exists (select 1 from pg_roles where rolname = 'bey_app') as exists`,
    )
    const [found] = rows
    if (found === undefined) throw new Error('PostgreSQL did not describe itself')
    if (!found.exists) await orExplain(client, createAppRoleSql, found.owner)
    // Tried rather than looked up: since PostgreSQL 16 a member may be one without the right to take the role.
    if (!(await canTakeRole(client))) await orExplain(client, grantAppRoleSql, found.owner)
  } finally {
    await client.end()
  }
}

/**
 * A connection of the user of DATABASE_URL, which has to be ended. Throws ConfigError: unreachable server, wrong password, too old a
 * server, a standby, a pooler in between.
 */
export async function connectOwner(url: string, applicationName: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: applicationName,
    keepAlive: true,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    throw connectionError(url, error)
  }
  try {
    await refuseServer(client)
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

async function refuseServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; pid: number }>(
    `select current_setting('server_version_num')::int as version, pg_backend_pid() as pid`,
  )
  const [found] = rows
  if (found === undefined) throw new Error('PostgreSQL did not describe itself')
  if (found.version < 150_000) {
    throw new ConfigError(
      `DATABASE_URL points at PostgreSQL ${Math.floor(found.version / 10_000)}; Bey needs 15 or newer.`,
    )
  }
  if (await isStandby(client, standbyTimeoutMs)) {
    throw new ConfigError(
      'DATABASE_URL leads to a standby, which takes no changes. Name the primary, by an address that follows it.',
    )
  }
  if (isPooled(client, found.pid)) {
    throw new ConfigError(
      'DATABASE_URL leads through a connection pooler such as PgBouncer. It would hand statements to sessions that have not taken the role that keeps organizations apart. Name PostgreSQL itself: Bey keeps its own connections.',
    )
  }
}

/** A pooler gives its clients process numbers of its own. */
function isPooled(client: pg.Client, pid: number): boolean {
  // pg declares no type for it.
  const { processID } = client as { processID?: number | null }
  return typeof processID === 'number' && processID !== pid
}

async function canTakeRole(client: pg.Client): Promise<boolean> {
  try {
    await client.query('set role bey_app')
    await client.query('reset role')
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '42501') return false
    throw error
  }
}

async function orExplain(client: pg.Client, statement: string, owner: string): Promise<void> {
  try {
    await client.query(statement)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Another process of a fleet was quicker.
    if (code === '42710' || code === '23505') return
    if (code !== '42501') throw error
    throw new ConfigError(
      `The user "${owner}" of DATABASE_URL may not create the application role. Let an administrator run once:\n` +
        `  ${createAppRoleSql};\n  grant bey_app to ${pg.escapeIdentifier(owner)};`,
      { cause: error },
    )
  }
}

function connectionError(url: string, error: unknown): ConfigError {
  const where = describeUrl(url)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const message = error instanceof Error ? error.message : String(error)
  const why =
    code === '28P01' || code === '28000'
      ? 'refused the user or password'
      : code === '3D000'
        ? 'has no such database; create it or name another'
        : code === 'ENOTFOUND' || code === 'EAI_AGAIN'
          ? 'has a host name that cannot be resolved'
          : isLost(error)
            ? 'does not answer'
            : `cannot be used (${message})`
  return new ConfigError(`The database at ${where} ${why}. Check DATABASE_URL.`, { cause: error })
}

/** Host, port and database of a connection string, without user and password. */
export function describeUrl(url: string): string {
  const client = new pg.Client({ connectionString: url })
  return `${client.host}:${client.port}/${client.database ?? ''}`
}
