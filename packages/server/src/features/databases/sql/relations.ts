import { sqlLimits, type SqlRelation } from '@bey/contract'
import type { Client } from 'pg'

type Row = SqlRelation & { sizeBytes: string | null; rows: number | null }

/** The size of a table is asked under its lock: who waits for that longer gets the list without sizes. */
const lockTimeoutMs = 500
const statementTimeoutMs = 15_000

/**
 * Tables and views that the session may know of, the largest first, with their columns; without those of extensions. While a
 * table is locked against reading, no size is known.
 */
export async function readRelations(
  client: Client,
): Promise<{ relations: SqlRelation[]; isTruncated: boolean }> {
  await client.query(`set statement_timeout = ${statementTimeoutMs}`)
  await client.query(`set lock_timeout = ${lockTimeoutMs}`)
  const rows = await listRelations(client, 'pg_total_relation_size(c.oid)').catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== lockNotAvailable) throw error
    return listRelations(client, 'null::bigint')
  })
  const relations: SqlRelation[] = []
  let columns = 0
  for (const row of rows) {
    columns += row.columns.length
    if (relations.length === sqlLimits.relations || columns > sqlLimits.columns) break
    relations.push({ ...row, sizeBytes: row.sizeBytes === null ? null : Number(row.sizeBytes) })
  }
  return { relations, isTruncated: relations.length < rows.length }
}

/** SQLSTATE of a lock that was waited for too long. */
const lockNotAvailable = '55P03'

async function listRelations(
  client: Client,
  size: 'pg_total_relation_size(c.oid)' | 'null::bigint',
): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `with shown as (
       select c.oid, n.nspname, c.relname, c.relkind, c.reltuples,
              case when c.relkind in ('r', 'm') then ${size} end as size
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
          and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
          and not exists (select from pg_depend d
            where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
        order by size desc nulls last, n.nspname, c.relname
        limit $1)
     select nspname as schema, relname as name, size as "sizeBytes",
            case relkind when 'r' then 'table' when 'v' then 'view' when 'm' then 'materialized view'
                         when 'f' then 'foreign table' else 'partitioned table' end as kind,
            case when relkind in ('r', 'm', 'p') and reltuples >= 0 then reltuples end as rows,
            coalesce((select json_agg(json_build_object('name', a.attname,
                        'type', format_type(a.atttypid, a.atttypmod), 'isNullable', not a.attnotnull)
                        order by a.attnum)
                        from pg_attribute a
                       where a.attrelid = shown.oid and a.attnum > 0 and not a.attisdropped), '[]') as columns
       from shown order by size desc nulls last, nspname, relname`,
    [sqlLimits.relations + 1],
  )
  return rows
}
