import { type DatabaseExtension, extensionRefusal, manageLimits, neededExtensions } from '@bey/contract'
import pg from 'pg'

import { AppError } from '../../../platform/errors.ts'
import type { DatabaseRow } from '../store.ts'
import type { Admin } from './open-admin.ts'

type Found = {
  name: string
  about: string | null
  version: string
  installed: string | null
  schema: string | null
  dependents: string[] | null
}

/** What needs an extension is what depends on its members, or on itself, without belonging to it. */
const listSql = `
  select a.name::text, a.comment as about, a.default_version as version, e.extversion as installed,
    n.nspname::text as schema, needs.dependents
  from pg_available_extensions a
  left join pg_extension e on e.extname = a.name
  left join pg_namespace n on n.oid = e.extnamespace
  left join lateral (
    select array_agg(distinct text order by text) as dependents from (
      select pg_describe_object(
          coalesce(r.classid, d.classid), coalesce(r.objid, d.objid), coalesce(r.objsubid, d.objsubid)) as text
        from pg_depend d
        -- The default of a column is named by its column.
        left join lateral (
          select 'pg_class'::regclass::oid as classid, def.adrelid as objid, def.adnum::int as objsubid
            from pg_attrdef def where d.classid = 'pg_attrdef'::regclass and def.oid = d.objid
          union all
          select 'pg_class'::regclass::oid, rw.ev_class, 0
            from pg_rewrite rw where d.classid = 'pg_rewrite'::regclass and rw.oid = d.objid) r on true
       where d.deptype in ('n', 'a') and d.classid not in ('pg_amop'::regclass, 'pg_amproc'::regclass)
         and not exists (select from pg_depend own where own.classid = d.classid and own.objid = d.objid
           and own.deptype = 'e' and own.refclassid = 'pg_extension'::regclass and own.refobjid = e.oid)
         and ((d.refclassid = 'pg_extension'::regclass and d.refobjid = e.oid)
           or exists (select from pg_depend member where member.refclassid = 'pg_extension'::regclass
             and member.refobjid = e.oid and member.deptype = 'e'
             and member.classid = d.refclassid and member.objid = d.refobjid))
         -- Its own inner parts, such as the rules of its views.
         and not exists (select from pg_rewrite rw join pg_depend view on view.classid = 'pg_class'::regclass
           and view.objid = rw.ev_class and view.deptype = 'e' and view.refobjid = e.oid
           where d.classid = 'pg_rewrite'::regclass and rw.oid = d.objid)
       limit ${manageLimits.dependents}) found
  ) needs on e.oid is not null
  where $1::text is null or a.name = $1
  order by e.extname is null, a.name limit ${manageLimits.extensions}`

/** Extensions that a server brings, those that are installed first. */
export async function listExtensions(
  admin: Admin,
  row: DatabaseRow,
  name?: string,
): Promise<DatabaseExtension[]> {
  const { rows } = await admin.query<Found>(listSql, [name ?? null])
  return rows.map((found) => ({
    ...found,
    about: found.about ?? '',
    dependents: found.dependents ?? [],
    refusal: refusalOf(found, row),
  }))
}

function refusalOf({ name, installed }: Found, { provider }: DatabaseRow): string | null {
  if (installed !== null && neededExtensions.includes(name)) {
    return name === 'plpgsql' ? 'PostgreSQL brings it with every database.' : 'Bey counts statements with it.'
  }
  return installed === null ? (extensionRefusal(name, provider) ?? null) : null
}

/** Installs an extension, or brings one that is installed to the version of the server. Says what it did. */
export async function installExtension(admin: Admin, row: DatabaseRow, name: string): Promise<string> {
  const found = await findExtension(admin, row, name)
  const extension = pg.escapeIdentifier(name)
  if (found.installed !== null) {
    if (found.installed === found.version) return `"${name}" ${found.version} is installed already.`
    await admin.query(`alter extension ${extension} update`)
    return `"${name}" went from ${found.installed} to ${found.version}.`
  }
  if (found.refusal !== null) throw new AppError('conflict', `"${name}" is not installed. ${found.refusal}`)
  await admin.query(`create extension ${extension} schema public cascade`)
  return `"${name}" ${found.version} is installed.`
}

export async function dropExtension(
  admin: Admin,
  row: DatabaseRow,
  { name, withDependents }: { name: string; withDependents: boolean },
): Promise<void> {
  const found = await findExtension(admin, row, name)
  if (found.installed === null) throw new AppError('conflict', `"${name}" is not installed.`)
  if (found.refusal !== null) throw new AppError('conflict', `"${name}" was not removed. ${found.refusal}`)
  if (found.dependents.length > 0 && !withDependents) {
    throw new AppError(
      'conflict',
      `"${name}" is needed by ${found.dependents.slice(0, 5).join(', ')}${found.dependents.length > 5 ? ' and more' : ''}. Drop that first, or drop it with the extension.`,
    )
  }
  await admin.query(`drop extension ${pg.escapeIdentifier(name)} ${withDependents ? 'cascade' : 'restrict'}`)
}

async function findExtension(admin: Admin, row: DatabaseRow, name: string): Promise<DatabaseExtension> {
  const [found] = await listExtensions(admin, row, name)
  if (found !== undefined) return found
  throw new AppError('not_found', `The server of "${row.name}" brings no extension "${name}".`)
}
