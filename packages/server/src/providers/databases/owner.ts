import pg from 'pg'

import type { ProviderDatabase } from '../../features/databases/provider.ts'
import { StepFailure } from '../../platform/engine/step-failure.ts'

/** Makes the owner and the database in a server of Bey's unless they exist, and gives the owner this password. */
export async function ensureOwner(
  connection: pg.ClientConfig,
  { databaseName, username }: Pick<ProviderDatabase, 'databaseName' | 'username'>,
  password: string,
): Promise<void> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ role: boolean; database: boolean; powerful: boolean }>(
      `select exists (select 1 from pg_roles where rolname = $1 and rolsuper) as powerful,
              exists (select 1 from pg_roles where rolname = $1) as role,
              exists (select 1 from pg_database where datname = $2) as database`,
      [username, databaseName],
    )
    if (rows[0]?.powerful === true) {
      throw new StepFailure(`The name "${username}" belongs to PostgreSQL itself. Choose another name.`)
    }
    const role = pg.escapeIdentifier(username)
    const secret = pg.escapeLiteral(password)
    // A password in a statement must not reach the server's log, whatever a database's settings ask for.
    await client.query('set log_statement = none')
    await client.query('set log_min_duration_statement = -1')
    await client.query('set log_min_error_statement = panic')
    if (rows[0]?.role !== true) {
      await client.query(`create role ${role} login createdb createrole password ${secret}`)
      await client.query(`grant pg_monitor, pg_signal_backend to ${role}`)
    } else await client.query(`alter role ${role} password ${secret}`)
    if (rows[0]?.database !== true) {
      await client.query(`create database ${pg.escapeIdentifier(databaseName)} owner ${role}`)
    }
  } finally {
    await client.end()
  }
}
