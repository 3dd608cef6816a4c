import type { DatabaseRole, RoleAccess, RoleKind } from '@bey/contract'
import { manageLimits } from '@bey/contract'

import type { DatabaseRow } from '../store.ts'
import type { Admin } from './open-admin.ts'

type Found = {
  name: string
  login: boolean
  super: boolean
  createrole: boolean
  createdb: boolean
  valid_until: Date | null
  member_of: string[]
  connections: number
  total: number
  readable: number
  writable: number
  future: RoleAccess
  is_owner: boolean
}

/** Tables of the database that are not PostgreSQL's own, and what each user can do with them by whatever right. */
const rolesSql = `
  with tables as (
    select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
         and d.deptype = 'e')
     limit 5000),
  shown as (select * from pg_roles where $1::text is null or rolname = $1 order by rolname limit ${manageLimits.roles}),
  allowed as (
    select r.oid, count(t.oid)::int as total,
      (count(*) filter (where t.oid is not null and has_table_privilege(r.oid, t.oid, 'select')))::int as readable,
      (count(*) filter (where t.oid is not null and has_table_privilege(r.oid, t.oid, 'insert')
        and has_table_privilege(r.oid, t.oid, 'update') and has_table_privilege(r.oid, t.oid, 'delete')))::int as writable
      from shown r left join tables t on true group by r.oid),
  future as (
    select a.grantee, bool_or(a.privilege_type = 'SELECT') as reads, bool_or(a.privilege_type = 'INSERT') as writes
      from pg_default_acl d, aclexplode(d.defaclacl) a
     where d.defaclobjtype = 'r' and d.defaclrole = (select datdba from pg_database where datname = current_database())
     group by a.grantee)
  select r.rolname as name, r.rolcanlogin as login, r.rolsuper as super, r.rolcreaterole as createrole,
    r.rolcreatedb as createdb, case when isfinite(r.rolvaliduntil) then r.rolvaliduntil end as valid_until,
    coalesce((select array_agg(g.rolname::text order by g.rolname) from pg_auth_members m
      join pg_roles g on g.oid = m.roleid where m.member = r.oid), '{}') as member_of,
    (select count(*)::int from pg_stat_activity s where s.usesysid = r.oid) as connections,
    allowed.total, allowed.readable, allowed.writable,
    case when future.writes then 'write' when future.reads then 'read' else 'none' end as future,
    r.oid = (select datdba from pg_database where datname = current_database()) as is_owner
  from shown r join allowed using (oid) left join future on future.grantee = r.oid
  order by r.rolname`

/** Users and groups of a server, or the one of this name. */
export async function listRoles(admin: Admin, row: DatabaseRow, name?: string): Promise<DatabaseRole[]> {
  const { rows } = await admin.query<Found>(rolesSql, [name ?? null])
  return rows.map((found) => presentRole(found, row))
}

function presentRole(found: Found, row: DatabaseRow): DatabaseRole {
  const kind = kindOf(found, row)
  return {
    name: found.name,
    kind,
    canLogin: found.login,
    canCreateRoles: found.createrole,
    canCreateDatabases: found.createdb,
    memberOf: found.member_of,
    validUntil: found.valid_until?.toISOString() ?? null,
    connections: found.connections,
    tables: { total: found.total, readable: found.readable, writable: found.writable },
    futureAccess: found.future,
    refusal: refusals[kind] ?? null,
  }
}

function kindOf(found: Found, row: DatabaseRow): RoleKind {
  if (found.is_owner || found.name === row.username) return 'owner'
  if (found.name.startsWith('bey_')) return 'bey'
  if (found.super || found.name.startsWith('pg_')) return 'server'
  return found.login ? 'user' : 'group'
}

const refusals: Partial<Record<RoleKind, string>> = {
  owner: 'It owns the database, or Bey connects as it.',
  bey: 'Bey works with it, or made it as a personal login.',
  server: 'It belongs to PostgreSQL itself, or may do everything.',
}

/** What the user of Bey may do in a server, in PostgreSQL's words. */
export async function readRights(admin: Admin) {
  const { rows } = await admin.query<{ name: string; createrole: boolean; createdb: boolean }>(
    `select rolname as name, rolsuper or rolcreaterole as createrole, rolsuper or rolcreatedb as createdb
       from pg_roles where rolname = current_user`,
  )
  const [found] = rows
  if (found === undefined) throw new Error('The server does not know the user of the connection')
  const needs = (right: string) => `The user "${found.name}" of the connection needs ${right} for that.`
  return {
    roleRefusal: found.createrole ? null : needs('CREATEROLE'),
    databaseRefusal: found.createdb ? null : needs('CREATEDB'),
  }
}
