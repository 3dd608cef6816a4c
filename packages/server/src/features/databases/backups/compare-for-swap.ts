import { type DatabaseSwapComparison, swapComparisonLimits as limits } from '@bey/contract'
import pg from 'pg'

import type { DatabaseParts } from '../parts.ts'
import { type Admin, withAdmin, withSession } from '../manage/open-admin.ts'
import type { DatabaseRow } from '../store.ts'

type Compared = Omit<DatabaseSwapComparison, 'at'>
type Count = { rows: number | null; isEstimate: boolean }
type ListedTable = { schema: string; name: string; kind: 'r' | 'p'; estimate: number | null; bytes: number }

/**
 * Counts the rows of a database and of the restored copy that may take its place, and lists who is connected to it. Bounded in
 * tables and time: what is not counted by then has the planner's estimate. Throws AppError `conflict` and
 * `database_unreachable` as `withAdmin`.
 */
export async function compareForSwap(
  parts: DatabaseParts,
  source: DatabaseRow,
  copy: DatabaseRow,
): Promise<Compared> {
  const ofSource = Promise.withResolvers<ListedTable[]>()
  const ofCopy = Promise.withResolvers<ListedTable[]>()
  // Both are awaited by the other side too, which ends with the first failure.
  const chosen = Promise.all([ofSource.promise, ofCopy.promise]).then(([here, there]) =>
    chooseTables(here, there),
  )
  chosen.catch(() => undefined)

  const side = (row: DatabaseRow, listed: PromiseWithResolvers<ListedTable[]>) =>
    withAdmin(parts, row, async (admin) => {
      const tables = await listTables(admin)
      listed.resolve(tables)
      const clients = await listClients(admin)
      const { keys } = await chosen
      // A table may be a view by now, which runs what its owner wrote.
      const counts = await withSession(parts, row, 'dump', (reader) => countRows(parts, reader, keys, tables))
      return { clients, counts }
    }).catch((error: unknown) => {
      listed.reject(error)
      throw error
    })

  const [here, there] = await Promise.all([side(source, ofSource), side(copy, ofCopy)])
  const { keys, leftOut } = await chosen
  return {
    tables: keys.map(({ schema, name }) => {
      const key = keyOf({ schema, name })
      return { schema, name, copy: there.counts.get(key) ?? null, source: here.counts.get(key) ?? null }
    }),
    tablesLeftOut: leftOut,
    ...here.clients,
  }
}

const keyOf = ({ schema, name }: { schema: string; name: string }) => JSON.stringify([schema, name])

/** Tables of one of the two alone first, then the largest. */
function chooseTables(here: readonly ListedTable[], there: readonly ListedTable[]) {
  const found = new Map<string, { schema: string; name: string; sides: number; bytes: number }>()
  for (const { schema, name, bytes } of [...here, ...there]) {
    const key = keyOf({ schema, name })
    const before = found.get(key)
    found.set(key, {
      schema,
      name,
      sides: (before?.sides ?? 0) + 1,
      bytes: Math.max(before?.bytes ?? 0, bytes),
    })
  }
  const sorted = [...found.values()].toSorted((a, b) => a.sides - b.sides || b.bytes - a.bytes)
  return { keys: sorted.slice(0, limits.tables), leftOut: Math.max(0, sorted.length - limits.tables) }
}

async function listTables(admin: Admin): Promise<ListedTable[]> {
  const { rows } = await admin.query<Omit<ListedTable, 'bytes'> & { bytes: string }>(
    `select n.nspname as schema, c.relname as name, c.relkind as kind,
            case when c.reltuples >= 0 then c.reltuples end as estimate, c.relpages::int8 * 8192 as bytes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence <> 't'
        and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and not exists (select from pg_depend d
          where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
      order by 1, 2`,
  )
  return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }))
}

async function countRows(
  { clock }: Pick<DatabaseParts, 'clock'>,
  reader: Admin,
  keys: readonly { schema: string; name: string }[],
  tables: readonly ListedTable[],
): Promise<Map<string, Count>> {
  const byKey = new Map(tables.map((table) => [keyOf(table), table]))
  const counts = new Map<string, Count>()
  const endMs = clock.monotonicMs() + limits.totalMs
  for (const key of keys.map(keyOf)) {
    const table = byKey.get(key)
    if (table === undefined) continue
    const leftMs = Math.floor(Math.min(limits.countMs, endMs - clock.monotonicMs()))
    // oxlint-disable-next-line no-await-in-loop -- one at a time, so as not to disturb its users
    const rows = leftMs < 1 ? undefined : await countTable(reader, table, leftMs)
    const { estimate } = table
    counts.set(
      key,
      rows === undefined
        ? { rows: estimate === null ? null : Math.round(estimate), isEstimate: estimate !== null }
        : { rows, isEstimate: false },
    )
  }
  return counts
}

/** What ends a count without its fault: it took too long, or the table was dropped meanwhile. */
const uncounted = ['57014', '42P01']

/** Undefined where it took longer than this. Rows of tables that inherit from it are counted with those. */
async function countTable(
  reader: Admin,
  { schema, name, kind }: ListedTable,
  timeoutMs: number,
): Promise<number | undefined> {
  const table = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
  try {
    await reader.query(`set statement_timeout = ${timeoutMs}`)
    const { rows } = await reader.query<{ n: string }>(
      `select count(*) as n from ${kind === 'p' ? '' : 'only '}${table}`,
    )
    return Number(rows[0]?.n ?? 0)
  } catch (error) {
    if (error instanceof pg.DatabaseError && uncounted.includes(error.code ?? '')) return undefined
    throw error
  }
}

async function listClients(admin: Admin): Promise<Pick<Compared, 'clients' | 'connections'>> {
  const { rows } = await admin.query<Compared['clients'][number]>(
    `select coalesce(nullif(application_name, ''), usename::text, 'unknown') as client, usename as username,
            count(*)::int as connections,
            (count(*) filter (where state = 'active'))::int as active,
            (count(*) filter (where state like 'idle in transaction%'))::int as "idleInTransaction",
            (count(*) filter (where backend_xid is not null))::int as "withChanges"
       from pg_stat_activity
      where pid <> pg_backend_pid() and datname is not null and backend_type = 'client backend'
        and coalesce(application_name, '') !~ '^bey-monitor'
      group by 1, 2 order by 3 desc, 1, 2`,
  )
  return {
    clients: rows.slice(0, limits.clients),
    connections: rows.reduce((sum, { connections }) => sum + connections, 0),
  }
}
