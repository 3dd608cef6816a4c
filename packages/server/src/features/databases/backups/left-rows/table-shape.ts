import pg from 'pg'

import type { Admin } from '../../manage/open-admin.ts'

/** A table as rows are compared and copied: generated columns follow from the others. */
export type TableShape = {
  schema: string
  name: string
  columns: { name: string; type: string }[]
  /** Columns of the primary key, in its order; none where it has none. */
  key: string[]
  triggers: number
  bytes: number
}

/** So that equal values have equal texts in both servers. */
export const textSettings = `set search_path = pg_catalog; set timezone = 'UTC'; set datestyle = 'ISO, YMD';
  set intervalstyle = 'postgres'; set extra_float_digits = 1; set bytea_output = 'hex'; set statement_timeout = 9000`

/** Tables of people, the largest first; parts of partitioned tables are read with those. */
export async function readShapes(admin: Pick<Admin, 'query'>): Promise<TableShape[]> {
  const { rows } = await admin.query<TableShape & { bytes: string }>(
    `select n.nspname as schema, c.relname as name,
       coalesce((select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
           order by a.attname) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''), '[]') as columns,
       coalesce((select json_agg(a.attname order by array_position(i.indkey::int2[], a.attnum))
         from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey::int2[])
         where i.indrelid = c.oid and i.indisprimary), '[]') as key,
       (select count(*)::int from pg_trigger t
         where t.tgrelid = c.oid and not t.tgisinternal and t.tgenabled <> 'D' and (t.tgtype & 4) <> 0) as triggers,
       case c.relkind when 'p' then (select coalesce(sum(pg_table_size(p.relid)), 0) from pg_partition_tree(c.oid) p)
         else pg_table_size(c.oid) end::text as bytes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence <> 't'
       and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
       and not exists (select from pg_depend d
         where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`,
  )
  return rows
    .map((row) => ({ ...row, bytes: Number(row.bytes) }))
    .toSorted((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1))
}

export const tableKey = ({ schema, name }: { schema: string; name: string }) => JSON.stringify([schema, name])

export const quotedTable = ({ schema, name }: { schema: string; name: string }) =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`

/** The key of a row as one text: the same in both servers. */
export const keyText = ({ key }: Pick<TableShape, 'key'>) =>
  `jsonb_build_array(${key.map((column) => `t.${pg.escapeIdentifier(column)}::text`).join(', ')})::text`

/** Whether rows of one fit into the other. */
export function isSameShape(one: TableShape, other: TableShape): boolean {
  return JSON.stringify([one.columns, one.key]) === JSON.stringify([other.columns, other.key])
}
