import type { MonitorClient } from './monitor-connections.ts'

/** An index, as far as advice needs it. Sizes in bytes. */
export type CatalogueIndex = {
  table: string
  name: string
  sizeBytes: number
  /** Since the statistics of the server were reset. */
  scans: number
  isValid: boolean
  /** It makes sure of something: a key, uniqueness, an exclusion. */
  isNeeded: boolean
  /** What it is made of: method, columns, order, condition; the same in two indexes means that one is superfluous. */
  definition: string
  /** Beginning of the definition without condition, for whether another index covers it. */
  columns: string[]
  isPlain: boolean
  isBuilding: boolean
}

export type CatalogueTable = {
  name: string
  rows: number
  sizeBytes: number
  sequentialScans: number
  sequentialRows: number
  deadRows: number
  liveRows: number
  vacuumedAt: Date | null
  analyzedAt: Date | null
  /** Transactions since it was last frozen. */
  frozenAge: number
}

type CatalogueForeignKey = {
  table: string
  name: string
  columns: string[]
  referenced: string
  tableBytes: number
  /** An index of the table begins with its columns. */
  isIndexed: boolean
}

type CatalogueSequence = {
  name: string
  lastValue: number
  sequenceMax: number
  /** What the type of its column holds; as the sequence where it has none. */
  columnMax: number
  /** The column that it fills; null for one of its own. */
  table: string | null
  column: string | null
}

type CatalogueSetting = { name: string; value: string }

/** What the rules of advice look at. Names are quoted where SQL needs it. */
export type Catalogue = {
  version: number
  /** Since when the server counts the use of indexes and tables; null where it does not say. */
  statsSince: Date | null
  indexes: CatalogueIndex[]
  tables: CatalogueTable[]
  foreignKeys: CatalogueForeignKey[]
  sequences: CatalogueSequence[]
  settings: CatalogueSetting[]
}

/** Rows of each kind that are looked at: the largest. */
const maxRows = 2_000
const ofUsers = "n.nspname !~ '^pg_' and n.nspname <> 'information_schema'"
const nameOf = (relation: string, schema: string) =>
  `(case when ${schema}.nspname = 'public' then '' else quote_ident(${schema}.nspname) || '.' end || quote_ident(${relation}.relname))`

const indexesSql = `/* bey-monitor */
  select ${nameOf('t', 'n')} as table, ${nameOf('c', 'n')} as name, pg_relation_size(c.oid)::float8 as "sizeBytes",
    coalesce(s.idx_scan, 0)::float8 as scans, i.indisvalid as "isValid",
    i.indisunique or i.indisprimary or i.indisexclusion or i.indisreplident or i.indisclustered
      or exists (select from pg_constraint k where k.conindid = c.oid) as "isNeeded",
    regexp_replace(pg_get_indexdef(c.oid), '^.* USING ', '') as definition,
    array(select pg_get_indexdef(c.oid, k, true) from generate_series(1, i.indnkeyatts) k) as columns,
    i.indpred is null and am.amname = 'btree' as "isPlain",
    exists (select from pg_stat_progress_create_index p where p.index_relid = c.oid) as "isBuilding"
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    join pg_namespace n on n.oid = c.relnamespace join pg_am am on am.oid = c.relam
    left join pg_stat_user_indexes s on s.indexrelid = c.oid
  where ${ofUsers} and c.relkind = 'i' order by pg_relation_size(c.oid) desc, c.oid limit ${maxRows}`

const tablesSql = `/* bey-monitor */
  select ${nameOf('c', 'n')} as name, greatest(c.reltuples, s.n_live_tup, 0)::float8 as rows,
    pg_table_size(c.oid)::float8 as "sizeBytes", coalesce(s.seq_scan, 0)::float8 as "sequentialScans",
    coalesce(s.seq_tup_read, 0)::float8 as "sequentialRows", coalesce(s.n_dead_tup, 0)::float8 as "deadRows",
    coalesce(s.n_live_tup, 0)::float8 as "liveRows", greatest(s.last_vacuum, s.last_autovacuum) as "vacuumedAt",
    greatest(s.last_analyze, s.last_autoanalyze) as "analyzedAt", age(c.relfrozenxid)::float8 as "frozenAge"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace left join pg_stat_user_tables s on s.relid = c.oid
  where ${ofUsers} and c.relkind in ('r', 'm') order by pg_table_size(c.oid) desc limit ${maxRows}`

const foreignKeysSql = `/* bey-monitor */
  select ${nameOf('t', 'n')} as table, quote_ident(k.conname) as name, ${nameOf('r', 'rn')} as referenced,
    array(select quote_ident(a.attname) from unnest(k.conkey) with ordinality u (attnum, place)
      join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.attnum order by u.place) as columns,
    pg_table_size(t.oid)::float8 as "tableBytes",
    exists (select from pg_index i where i.indrelid = k.conrelid and i.indisvalid and i.indpred is null
      and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey) as "isIndexed"
  from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_namespace n on n.oid = t.relnamespace
    join pg_class r on r.oid = k.confrelid join pg_namespace rn on rn.oid = r.relnamespace
  where k.contype = 'f' and k.conparentid = 0 and ${ofUsers} order by pg_table_size(t.oid) desc limit ${maxRows}`

const sequencesSql = `/* bey-monitor */
  select ${nameOf('c', 'n')} as name, coalesce(q.last_value, 0)::float8 as "lastValue",
    q.max_value::float8 as "sequenceMax",
    case a.atttypid when 'int2'::regtype then 32767 when 'int4'::regtype then 2147483647
      when 'int8'::regtype then 9223372036854775807 else q.max_value end::float8
      as "columnMax",
    case when a.attname is not null then ${nameOf('t', 'tn')} end as table, quote_ident(a.attname) as column
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_sequences q on q.schemaname = n.nspname and q.sequencename = c.relname
    left join pg_depend d on d.objid = c.oid and d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
      and d.deptype in ('a', 'i')
    left join pg_class t on t.oid = d.refobjid left join pg_namespace tn on tn.oid = t.relnamespace
    left join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
  where c.relkind = 'S' and ${ofUsers} and not q.cycle and q.increment_by > 0 limit ${maxRows}`

const settingsSql = `/* bey-monitor */
  select name, setting as value from pg_settings
  where name in ('track_io_timing', 'autovacuum', 'fsync', 'full_page_writes', 'autovacuum_freeze_max_age')`

/** Reads from the catalogue of a database what the rules of advice look at. */
export async function readCatalogue({ client, version }: MonitorClient): Promise<Catalogue> {
  const rows = async <R extends object>(text: string) => (await client.query<R>(text)).rows
  const [since] = await rows<{ since: Date | null }>(
    '/* bey-monitor */ select coalesce(stats_reset, pg_postmaster_start_time()) as since from pg_stat_database where datname = current_database()',
  )
  return {
    version,
    statsSince: since?.since ?? null,
    indexes: await rows<CatalogueIndex>(indexesSql),
    tables: await rows<CatalogueTable>(tablesSql),
    foreignKeys: await rows<CatalogueForeignKey>(foreignKeysSql),
    sequences: await rows<CatalogueSequence>(sequencesSql),
    settings: await rows<CatalogueSetting>(settingsSql),
  }
}
