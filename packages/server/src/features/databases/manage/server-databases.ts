import { manageLimits, type ServerDatabase } from '@bey/contract'
import pg from 'pg'

import { AppError } from '../../../platform/errors.ts'
import type { DatabaseRow } from '../store.ts'
import type { Admin } from './open-admin.ts'
import { readRights } from './role-list.ts'

const listSql = `
  select d.datname::text as name, pg_get_userbyid(d.datdba)::text as owner, d.datname = current_database() as main,
    case when has_database_privilege(d.oid, 'connect') then pg_database_size(d.oid)::float8 end as size,
    (select count(*)::int from pg_stat_activity s where s.datid = d.oid) as connections
  from pg_database d
  where not d.datistemplate and d.datname <> 'postgres' and ($1::text is null or d.datname = $1)
  order by d.datname limit ${manageLimits.databases}`

/** Databases of a server, without PostgreSQL's own. */
export async function listServerDatabases(admin: Admin, name?: string): Promise<ServerDatabase[]> {
  const { rows } = await admin.query<{
    name: string
    owner: string
    main: boolean
    size: number | null
    connections: number
  }>(listSql, [name ?? null])
  return rows.map(({ main, size, ...found }) => ({
    ...found,
    sizeBytes: size,
    refusal: main ? 'It is the database that this page is about. Delete it by its own menu.' : null,
  }))
}

export async function createServerDatabase(admin: Admin, row: DatabaseRow, name: string): Promise<void> {
  const { databaseRefusal } = await readRights(admin)
  if (databaseRefusal !== null) throw new AppError('conflict', databaseRefusal)
  await admin.query(`create database ${pg.escapeIdentifier(name)} owner ${pg.escapeIdentifier(row.username)}`)
}

/** Drops a database that nobody uses. */
export async function dropServerDatabase(admin: Admin, row: DatabaseRow, name: string): Promise<void> {
  const [found] = await listServerDatabases(admin, name)
  if (found === undefined) {
    throw new AppError('not_found', `The server of "${row.name}" has no database "${name}".`)
  }
  if (found.refusal !== null) throw new AppError('conflict', `"${name}" was not dropped. ${found.refusal}`)
  if (found.connections > 0) {
    const who = found.connections === 1 ? '1 session is' : `${found.connections} sessions are`
    throw new AppError('conflict', `${who} connected to "${name}". End them first.`)
  }
  await admin.query(`drop database ${pg.escapeIdentifier(name)}`)
}
