import pg, { type ClientConfig } from 'pg'

import { lowerOther } from '../../platform/low-priority.ts'

/** The rows of each table of a database, as one snapshot sees them. */
export type RowCounts = Record<string, number>

/** Opens a snapshot at this moment, whose rows are counted later. It has to be closed. `isHere`: the server is on this machine. */
export async function openSnapshot(connection: ClientConfig, isHere = false) {
  const client = new pg.Client({ ...connection, application_name: 'bey-row-counts' })
  client.on('error', () => undefined)
  await client.connect()
  // A count takes a core of the machine; several at once would take all of them from the server.
  await client.query('set max_parallel_workers_per_gather = 0')
  await client.query('begin isolation level repeatable read read only')
  // The snapshot is taken by the first statement, not by `begin`.
  await client.query('select 1')
  if (isHere) {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    if (rows[0] !== undefined) lowerOther(rows[0].pid)
  }
  return {
    count: () => countIn(client),
    close: () => client.end().catch(() => undefined),
  }
}

/** The rows that the transaction of a client sees. */
export async function countIn(client: pg.Client): Promise<RowCounts> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and c.relpersistence = 'p'
       and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_toast%'
     order by 1`,
  )
  const counts: RowCounts = {}
  for (const { name } of rows) {
    const { rows: found } = await client.query<{ rows: string }>(`select count(*) as rows from ${name}`)
    counts[name] = Number(found[0]?.rows)
  }
  return counts
}

/** The rows at this moment. */
export async function countRows(connection: ClientConfig): Promise<RowCounts> {
  const snapshot = await openSnapshot(connection)
  try {
    return await snapshot.count()
  } finally {
    await snapshot.close()
  }
}

/** Sentences for the tables whose rows are not those of the manifest; empty where all are. */
export function differences(
  expected: Readonly<Record<string, readonly [number, number]>>,
  found: RowCounts,
): string[] {
  const named = new Set([...Object.keys(expected), ...Object.keys(found)])
  return [...named].toSorted().flatMap((name) => {
    const [bounds, rows] = [expected[name], found[name]]
    if (bounds === undefined) return [`${name} is not in the manifest.`]
    if (rows === undefined) return [`${name} is missing.`]
    const [low, high] = [Math.min(...bounds), Math.max(...bounds)]
    if (rows >= low && rows <= high) return []
    return [`${name} has ${rows} rows instead of ${low === high ? low : `${low} to ${high}`}.`]
  })
}

export const sumOf = (counts: RowCounts) => Object.values(counts).reduce((total, each) => total + each, 0)
