import { type LoginMode, loginLimits } from '@bey/contract'
import pg from 'pg'

import type { OpenConnection } from '../provider.ts'

/** Users of this beginning belong to Bey, which removes those that it does not know. */
const prefix = 'bey_login_'

export const loginName = (random: string) => `${prefix}${random}`

type Login = { username: string; mode: LoginMode; expiresAt: Date }

/**
 * Makes a user of a server of Bey's for a while. One that reads may read everything and owns nothing; one that writes acts
 * as the owner of the database, to whom everything belongs that it makes.
 */
export async function createLoginRole(
  admin: OpenConnection,
  { username, mode, expiresAt }: Login,
  owner: string,
  password: string,
): Promise<void> {
  // A password in a statement must not reach the server's log, whatever a database's settings ask for.
  await admin.query('set log_statement = none')
  await admin.query('set log_min_duration_statement = -1')
  await admin.query('set log_min_error_statement = panic')
  const role = pg.escapeIdentifier(username)
  const group = pg.escapeIdentifier(owner)
  await admin.query('begin')
  await admin.query(
    `create role ${role} login nosuperuser nocreatedb nocreaterole noreplication
       connection limit ${loginLimits.connections} password ${pg.escapeLiteral(password)}
       valid until ${pg.escapeLiteral(expiresAt.toISOString())}`,
  )
  if (mode === 'write') {
    await admin.query(`grant ${group} to ${role}`)
    await admin.query(`alter role ${role} set role = ${group}`)
  } else {
    await admin.query(`grant pg_read_all_data to ${role}`)
    await admin.query(`alter role ${role} set default_transaction_read_only = on`)
  }
  await admin.query('commit')
}

/**
 * Removes a user and ends its connections. It can log in no more whatever follows; where something that it owns in another
 * database keeps it from being removed, it stays without any rights.
 */
export async function removeLoginRole(admin: OpenConnection, username: string, owner: string): Promise<void> {
  const { rows } = await admin.query('select from pg_roles where rolname = $1', [username])
  if (rows.length === 0) return
  const role = pg.escapeIdentifier(username)
  const heir = pg.escapeIdentifier(owner)
  await admin.query(`alter role ${role} nologin password null`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [username])
  await admin.query(`reassign owned by ${role} to ${heir}`)
  await admin.query(`drop owned by ${role}`)
  await admin.query(`drop role ${role}`).catch((error: unknown) => {
    // It owns something in another database of the server.
    if ((error as { code?: unknown }).code !== '2BP01') throw error
  })
}

/** Users of Bey's that can log in, such as those that a restored copy brings along. */
export async function listLoginRoles(admin: OpenConnection): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    'select rolname as name from pg_roles where starts_with(rolname, $1) and rolcanlogin',
    [prefix],
  )
  return rows.map(({ name }) => name)
}
