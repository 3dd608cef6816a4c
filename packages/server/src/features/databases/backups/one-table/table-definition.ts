import type { Client } from 'pg'

import { StepFailure } from '../../../../platform/engine/step-failure.ts'

export type TableName = { schema: string; name: string }

export type DefinedColumn = {
  name: string
  type: string
  isNotNull: boolean
  /** Schema and name, quoted; null for the one of its type. */
  collation: string | null
  /** Expression of its default, or of what generates it. */
  expression: string | null
  generated: '' | 's' | 'v'
  identity: '' | 'a' | 'd'
  comment: string | null
}

type DefinedConstraint = {
  name: string
  kind: 'p' | 'u' | 'x' | 'c' | 'f'
  definition: string
  isValid: boolean
}

export type DefinedSequence = {
  name: string
  schema: string
  /** As its default names it, quoted. */
  quoted: string
  column: string
  isIdentity: boolean
  options: string
  last: string
  isCalled: boolean
}

export type TableDefinition = TableName & {
  oid: string
  quoted: string
  owner: string
  options: string[]
  comment: string | null
  isPartition: boolean
  replicaIdentity: string
  hasRowSecurity: boolean
  forcesRowSecurity: boolean
  columns: DefinedColumn[]
  constraints: DefinedConstraint[]
  /** `rest` follows the name of the table. */
  indexes: { name: string; isUnique: boolean; rest: string }[]
  sequences: DefinedSequence[]
  policies: {
    name: string
    command: string
    isPermissive: boolean
    roles: string[]
    using: string | null
    check: string | null
  }[]
  grants: { role: string | null; privilege: string; isGrantable: boolean }[]
  hasColumnGrants: boolean
  triggers: { name: string; definition: string; state: 'O' | 'D' | 'A' | 'R' }[]
  rules: number
  /** Foreign keys of other tables that refer to it. */
  incoming: (TableName & { quoted: string; constraint: string; definition: string })[]
  /** Views that read it, quoted. */
  views: string[]
}

/** What a name in the catalogue is besides a table. */
const kinds: Readonly<Record<string, string>> = {
  v: 'a view',
  m: 'a materialized view',
  f: 'a foreign table',
  S: 'a sequence',
  i: 'an index',
  c: 'a type',
}

/**
 * Reads how a table is made, in a server whose `search_path` is empty, so that every name is whole. Throws StepFailure where it
 * is not there, and where it cannot be restored by itself.
 */
export async function readDefinition(client: Client, { schema, name }: TableName): Promise<TableDefinition> {
  const [table] = (await client.query<Head>(headSql, [schema, name])).rows
  const called = `"${schema}.${name}"`
  if (table === undefined) throw new StepFailure(`There was no table ${called} at that moment.`)
  if (table.kind === 'p') {
    throw new StepFailure(
      `${called} is partitioned: its rows are in tables of their own. Restore those one by one, or restore into a new database.`,
    )
  }
  if (table.kind !== 'r')
    throw new StepFailure(`${called} is ${kinds[table.kind] ?? 'no table'}, not a table.`)
  if (table.persistence === 'u')
    throw new StepFailure(`${called} is unlogged: its rows are in no backup and in no WAL.`)
  const one = async <T extends object>(sql: string) => (await client.query<T>(sql, [table.oid])).rows
  const { kind: _kind, persistence: _persistence, ...head } = table
  const sequences: DefinedSequence[] = []
  for (const found of await one<Omit<DefinedSequence, 'last' | 'isCalled'>>(sequenceSql)) {
    // oxlint-disable-next-line no-await-in-loop -- few columns have one
    const { rows } = await client.query<Pick<DefinedSequence, 'last' | 'isCalled'>>(
      `select last_value::text as last, is_called as "isCalled" from ${found.quoted}`,
    )
    sequences.push({ ...found, last: rows[0]?.last ?? '1', isCalled: rows[0]?.isCalled ?? false })
  }
  return {
    ...head,
    schema,
    name,
    columns: await one(columnSql),
    constraints: await one(constraintSql),
    indexes: await one(indexSql),
    sequences,
    policies: await one(policySql),
    grants: await one(grantSql),
    triggers: await one(triggerSql),
    incoming: await one(incomingSql),
    views: (await one<{ view: string }>(viewSql)).map(({ view }) => view),
  }
}

type Head = Pick<
  TableDefinition,
  | 'oid'
  | 'quoted'
  | 'owner'
  | 'options'
  | 'comment'
  | 'isPartition'
  | 'replicaIdentity'
  | 'hasRowSecurity'
  | 'forcesRowSecurity'
  | 'hasColumnGrants'
  | 'rules'
> & { kind: string; persistence: string }

const headSql = `
  select c.oid::text as oid, format('%I.%I', n.nspname, c.relname) as quoted, c.relkind as kind, c.relpersistence as persistence,
    pg_get_userbyid(c.relowner) as owner, coalesce(c.reloptions, '{}') as options, obj_description(c.oid, 'pg_class') as comment,
    c.relispartition or exists (select from pg_inherits i where i.inhrelid = c.oid) as "isPartition",
    c.relreplident as "replicaIdentity", c.relrowsecurity as "hasRowSecurity", c.relforcerowsecurity as "forcesRowSecurity",
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attacl is not null) as "hasColumnGrants",
    (select count(*)::int from pg_rewrite r where r.ev_class = c.oid) as rules
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2`

const columnSql = `
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "isNotNull",
    case when a.attcollation <> t.typcollation then
      (select format('%I.%I', cn.nspname, co.collname) from pg_collation co join pg_namespace cn on cn.oid = co.collnamespace
        where co.oid = a.attcollation) end as collation,
    pg_get_expr(d.adbin, d.adrelid) as expression, a.attgenerated as generated, a.attidentity as identity,
    col_description(a.attrelid, a.attnum) as comment
  from pg_attribute a join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum`

const constraintSql = `
  select conname as name, contype as kind, pg_get_constraintdef(oid) as definition, convalidated as "isValid"
  from pg_constraint where conrelid = $1 and contype in ('p', 'u', 'x', 'c', 'f')
  order by array_position(array['p', 'u', 'x', 'c', 'f'], contype::text), conname`

const indexSql = `
  select i.relname as name, x.indisunique as "isUnique",
    substr(pg_get_indexdef(x.indexrelid), position(format(' ON %I.%I USING ', n.nspname, c.relname) in pg_get_indexdef(x.indexrelid))
      + length(format(' ON %I.%I', n.nspname, c.relname))) as rest
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    join pg_namespace n on n.oid = c.relnamespace
  where x.indrelid = $1 and x.indisvalid and not exists (select from pg_constraint k where k.conindid = x.indexrelid
    and k.conrelid = x.indrelid) order by i.relname`

const sequenceSql = `
  select s.relname as name, n.nspname as schema, format('%I.%I', n.nspname, s.relname) as quoted, a.attname as column,
    d.deptype = 'i' as "isIdentity",
    format('start with %s increment by %s minvalue %s maxvalue %s cache %s %s', q.seqstart, q.seqincrement, q.seqmin, q.seqmax,
      q.seqcache, case when q.seqcycle then 'cycle' else 'no cycle' end) as options
  from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S' join pg_namespace n on n.oid = s.relnamespace
    join pg_sequence q on q.seqrelid = s.oid join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
  where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = $1 and d.deptype in ('a', 'i')
  order by a.attnum`

const policySql = `
  select polname as name, case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete'
      else 'all' end as command, polpermissive as "isPermissive",
    array(select case when r = 0 then 'public' else quote_ident(pg_get_userbyid(r)) end from unnest(polroles) r) as roles,
    pg_get_expr(polqual, polrelid) as using, pg_get_expr(polwithcheck, polrelid) as check
  from pg_policy where polrelid = $1 order by polname`

const grantSql = `
  select case when g.grantee = 0 then null else pg_get_userbyid(g.grantee) end as role, g.privilege_type as privilege,
    g.is_grantable as "isGrantable"
  from pg_class c, aclexplode(c.relacl) g where c.oid = $1 and g.grantee <> c.relowner`

const triggerSql = `
  select tgname as name, pg_get_triggerdef(oid) as definition, tgenabled as state
  from pg_trigger where tgrelid = $1 and not tgisinternal and tgparentid = 0 order by tgname`

const incomingSql = `
  select n.nspname as schema, c.relname as name, format('%I.%I', n.nspname, c.relname) as quoted, k.conname as constraint,
    pg_get_constraintdef(k.oid) as definition
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
  where k.confrelid = $1 and k.contype = 'f' and k.conrelid <> k.confrelid and k.conparentid = 0 order by 1, 2, 4`

const viewSql = `
  select distinct format('%I.%I', n.nspname, v.relname) as view
  from pg_depend d join pg_rewrite r on r.oid = d.objid join pg_class v on v.oid = r.ev_class
    join pg_namespace n on n.oid = v.relnamespace
  where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = $1 and v.oid <> $1
    and v.relkind in ('v', 'm') order by 1`
