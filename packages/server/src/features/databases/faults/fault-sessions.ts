import { faultSession } from '@bey/contract'
import pg from 'pg'

import { AppError } from '../../../platform/errors.ts'
import { failureOf, openSession, type SessionParts } from '../sql/open-session.ts'
import type { DatabaseRow } from '../store.ts'

// The largest table of the owner: what others own cannot be locked by it.
const largestTableSql = `
  select n.nspname as schema, c.relname as name from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema')
    and pg_catalog.pg_has_role(c.relowner, 'usage')
  order by pg_catalog.pg_total_relation_size(c.oid) desc, c.oid limit 1`

// A set in the list of what is selected is made row by row; in the list of tables it would fill the disk first.
const slowSql = `
  select count(*) from (select generate_series(1, 1000000000000) as n) s where pg_catalog.md5(n::text) = ''`

/**
 * Sessions that disturb a database on purpose, as its owner. The server itself ends each after its time, also when this
 * process is killed or hangs.
 */
export function createFaultSessions(parts: SessionParts) {
  const open = new Set<pg.Client>()

  async function connect(row: DatabaseRow): Promise<pg.Client> {
    const client = await openSession(parts, row, 'write', faultSession)
    open.add(client)
    client.once('end', () => open.delete(client))
    return client
  }

  const end = (client: pg.Client) => void client.end().catch(() => undefined)

  return {
    /** Locks the largest table in a transaction that stays idle. Throws AppError `conflict` where there is none. */
    async holdLock(row: DatabaseRow, seconds: number): Promise<string> {
      const client = await connect(row)
      try {
        const { rows } = await client.query<{ schema: string; name: string }>(largestTableSql)
        const [table] = rows
        if (table === undefined) {
          throw new AppError('conflict', `The database "${row.name}" has no table that could be locked.`)
        }
        await client.query('begin')
        await client.query(`set local idle_in_transaction_session_timeout = ${seconds * 1_000}`)
        await client.query(`set local lock_timeout = '5s'`)
        const name = `${pg.escapeIdentifier(table.schema)}.${pg.escapeIdentifier(table.name)}`
        await client.query(`lock table ${name} in access exclusive mode`)
        return `The table ${table.schema}.${table.name} is locked for ${seconds} s.`
      } catch (error) {
        end(client)
        if (error instanceof pg.DatabaseError && error.code === '55P03') {
          throw new AppError(
            'conflict',
            'Others use the table, and did not let it go for 5 s. Nothing is locked.',
            {
              cause: error,
            },
          )
        }
        throw failureOf(row.name, error)
      }
    },

    /** Keeps a core busy; the answer does not wait for the end of the query. */
    async runSlowly(row: DatabaseRow, seconds: number): Promise<string> {
      const client = await connect(row)
      try {
        await client.query(`set statement_timeout = ${seconds * 1_000}`)
      } catch (error) {
        end(client)
        throw failureOf(row.name, error)
      }
      // It fails by its time-out, by somebody who cancels it, or with its server.
      client
        .query(slowSql)
        .catch(() => undefined)
        .finally(() => end(client))
      return `A query keeps a processor core busy for ${seconds} s.`
    },

    stop(): void {
      for (const client of open) end(client)
    },
  }
}
