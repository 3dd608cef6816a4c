import type { DatabaseRole, RoleAccess } from '@bey/contract'
import pg from 'pg'

import { AppError } from '../../../platform/errors.ts'
import type { DatabaseRow } from '../store.ts'
import type { Admin } from './open-admin.ts'
import { listRoles, readRights } from './role-list.ts'
import { scramVerifier } from './scram-verifier.ts'

const quoted = pg.escapeIdentifier

/** Makes a user that can log in and do nothing but what is granted. */
export async function createRole(
  admin: Admin,
  row: DatabaseRow,
  { name, access }: { name: string; access: RoleAccess },
  password: string,
): Promise<DatabaseRole> {
  const { roleRefusal } = await readRights(admin)
  if (roleRefusal !== null) throw new AppError('conflict', roleRefusal)
  const verifier = await scramVerifier(password)
  await inTransaction(admin, async () => {
    await admin.query(
      `create role ${quoted(name)} login nocreatedb nocreaterole noreplication password ${pg.escapeLiteral(verifier)}`,
    )
    await setAccess(admin, name, access)
  })
  return changeable(admin, row, name)
}

export async function grantAccess(
  admin: Admin,
  row: DatabaseRow,
  { name, access }: { name: string; access: RoleAccess },
): Promise<DatabaseRole> {
  await changeable(admin, row, name)
  await inTransaction(admin, () => setAccess(admin, name, access))
  return changeable(admin, row, name)
}

/** Ends the connections of a user, gives what it owns to the owner of the database, and removes it. */
export async function dropRole(admin: Admin, row: DatabaseRow, name: string): Promise<void> {
  const { connections } = await changeable(admin, row, name)
  if (connections > 0) {
    await admin.query(`alter role ${quoted(name)} nologin`)
    await admin.query('select pg_terminate_backend(pid, 2000) from pg_stat_activity where usename = $1', [
      name,
    ])
  }
  await inTransaction(admin, async () => {
    await setAccess(admin, name, 'none')
    await admin.query(`revoke connect on database ${quoted(row.databaseName)} from ${quoted(name)}`)
    if (row.provider === 'embedded') {
      await admin.query(`reassign owned by ${quoted(name)} to ${quoted(row.username)}`)
      // Only rights are left of it: what it owned has another owner now.
      await admin.query(`drop owned by ${quoted(name)}`)
    }
    await admin.query(`drop role ${quoted(name)}`)
  })
}

/** The user of this name; throws AppError for one that is not there or that Bey does not change. */
async function changeable(admin: Admin, row: DatabaseRow, name: string): Promise<DatabaseRole> {
  const [role] = await listRoles(admin, row, name)
  if (role === undefined) {
    throw new AppError('not_found', `The server of "${row.name}" has no user "${name}".`)
  }
  if (role.refusal !== null) {
    throw new AppError('conflict', `The user "${name}" was left alone: ${role.refusal}`)
  }
  return role
}

/** Takes what was granted before, and grants this: for each schema, and for what the owner makes later. */
async function setAccess(admin: Admin, name: string, access: RoleAccess): Promise<void> {
  const to = quoted(name)
  const { rows: found } = await admin.query<{ database: string; owner: string }>(
    `select current_database() as database, pg_get_userbyid(datdba)::text as owner
       from pg_database where datname = current_database()`,
  )
  const { database = '', owner = '' } = found[0] ?? {}
  const { rows: schemas } = await admin.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' limit 500`,
  )
  const { rows: mayActAsOwner } = await admin.query<{ may: boolean }>(
    `select pg_has_role(current_user, $1::name, 'member') as may`,
    [owner],
  )
  const statements: string[] = []
  if (access !== 'none') statements.push(`grant connect on database ${quoted(database)} to ${to}`)
  for (const schema of schemas) {
    const at = quoted(schema.name)
    statements.push(
      `revoke all on all tables in schema ${at} from ${to}`,
      `revoke all on all sequences in schema ${at} from ${to}`,
      `revoke all on schema ${at} from ${to}`,
    )
    if (access !== 'none') {
      statements.push(
        `grant usage on schema ${at} to ${to}`,
        `grant ${tableRights[access]} on all tables in schema ${at} to ${to}`,
        `grant ${sequenceRights[access]} on all sequences in schema ${at} to ${to}`,
      )
    }
  }
  if (mayActAsOwner[0]?.may === true) {
    const later = `alter default privileges for role ${quoted(owner)}`
    for (const kind of ['schemas', 'tables', 'sequences']) {
      statements.push(`${later} revoke all on ${kind} from ${to}`)
    }
    if (access !== 'none') {
      statements.push(
        `${later} grant usage on schemas to ${to}`,
        `${later} grant ${tableRights[access]} on tables to ${to}`,
        `${later} grant ${sequenceRights[access]} on sequences to ${to}`,
      )
    }
  }
  for (const statement of statements) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await admin.query(statement)
  }
}

const tableRights = { read: 'select', write: 'select, insert, update, delete' } as const
const sequenceRights = { read: 'select', write: 'usage, select, update' } as const

async function inTransaction(admin: Admin, work: () => Promise<void>): Promise<void> {
  await admin.query('begin')
  try {
    await work()
    await admin.query('commit')
  } catch (error) {
    await admin.query('rollback').catch(() => undefined)
    throw error
  }
}
