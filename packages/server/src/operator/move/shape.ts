import type pg from 'pg'

import { ConfigError } from '../../platform/errors.ts'

/** The tables, partitions and sequences of a database, each by its name as SQL, such as `public.users`. */
export type Shape = {
  /** Columns in their order without those that PostgreSQL computes, and all with their types. */
  tables: Map<string, { columns: string; types: string }>
  /** `values` is what makes a table a partition of its parent. */
  partitions: { name: string; parent: string; values: string }[]
  sequences: string[]
}

const ofBey = `n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_toast%'
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

export async function readShape(client: pg.Client): Promise<Shape> {
  const tables = await client.query<{ name: string; columns: string; types: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name,
       string_agg(quote_ident(a.attname), ', ' order by a.attname) filter (where a.attgenerated = '') as columns,
       string_agg(format('%I %s %s', a.attname, format_type(a.atttypid, a.atttypmod), a.attgenerated), ', ' order by a.attname) as types
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind = 'r' and c.relpersistence <> 't' and ${ofBey}
     group by 1 order by 1`,
  )
  const partitions = await client.query<Shape['partitions'][number]>(
    `select format('%I.%I', n.nspname, c.relname) as name, format('%I.%I', pn.nspname, p.relname) as parent,
       pg_get_expr(c.relpartbound, c.oid) as values
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_inherits i on i.inhrelid = c.oid
     join pg_class p on p.oid = i.inhparent join pg_namespace pn on pn.oid = p.relnamespace
     where c.relispartition and c.relkind = 'r' and ${ofBey} order by 1`,
  )
  const sequences = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'S' and ${ofBey} order by 1`,
  )
  return {
    tables: new Map(tables.rows.map(({ name, columns, types }) => [name, { columns, types }])),
    partitions: partitions.rows,
    sequences: sequences.rows.map(({ name }) => name),
  }
}

/** Throws ConfigError unless every row and number of one has its place in the other, and nothing is left over there. */
export function requireSameShape(source: Shape, target: Shape): void {
  const described = ({ tables, sequences }: Shape) =>
    new Map([
      ...[...tables].map(([name, { types }]) => [name, types] as const),
      ...sequences.map((name) => [name, 'sequence'] as const),
    ])
  const [here, there] = [described(source), described(target)]
  const different = [...new Set([...here.keys(), ...there.keys()])].filter(
    (name) => here.get(name) !== there.get(name),
  )
  if (different.length === 0) return
  throw new ConfigError(
    `The embedded database was last used by another version of Bey: ${different.slice(0, 3).join(', ')} ${different.length === 1 ? 'is' : 'are'} not as this version makes ${different.length === 1 ? 'it' : 'them'}. Start this version on the embedded database once, stop it, and run the command again.`,
  )
}
