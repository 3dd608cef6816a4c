import type { Writable } from 'node:stream'
import { NodePgSession, NodePgTransaction } from 'drizzle-orm/node-postgres'
import { PgDialect } from 'drizzle-orm/pg-core'
import type pg from 'pg'

import { isLost, unavailable } from './failure.ts'

/**
 * A handle on the running transaction, with drizzle's whole query builder and `execute(sql`…`)`.
 * `db.transaction(…)` inside it is a savepoint.
 */
export type Db = NodePgTransaction<Record<string, never>, Record<string, never>>

type Setting = 'organization_id' | 'user_id'

/** Runs `work` in a transaction on one connection of `pool`, with `bey.<setting>` set for row-level security. */
export async function transaction<T>(
  pool: pg.Pool,
  setting: Setting | undefined,
  id: number,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const client = await checkOut(pool)
  const handle = handleOn(client)
  const last = takeLastQueries(handle.db)
  let broken = true
  try {
    const begun = begin(client, 'begin', setting, id)
    try {
      // The owner's connections are not in pipeline mode, where queries may be sent while others run.
      if (setting === undefined) await begun
      const result = await work(handle.db)
      handle.close()
      await begun
      last.throwUnsent()
      const [end] = await Promise.all([client.query('commit'), ...last.queries])
      // A statement failed, its error was caught by the caller, and COMMIT rolled back without an error.
      if (end.command === 'ROLLBACK')
        throw new Error('The transaction was rolled back: a statement in it failed')
      broken = false
      return result
    } catch (error) {
      handle.close()
      broken = !(await rollBack(client))
      throw unavailable(error)
    }
  } finally {
    handle.close()
    client.release(broken)
  }
}

/**
 * Lets a query whose result is not needed travel with the commit, which saves a round trip during which the
 * transaction would hold its locks. If it fails, the transaction fails. It must have been sent before.
 */
export function withCommit(db: Db, query: Promise<unknown>): void {
  const take = waiting.get(connectionOf(db))
  if (take === undefined) throw new Error('Nothing is committed here')
  take(query)
}

const waiting = new WeakMap<pg.ClientBase, (query: Promise<unknown>) => void>()

function takeLastQueries(db: Db) {
  const queries: Promise<unknown>[] = []
  let failure: { error: unknown } | undefined
  waiting.set(connectionOf(db), (query) => {
    queries.push(query)
    query.catch((error: unknown) => (failure ??= { error }))
  })
  return {
    queries,
    /** What never reached the connection has failed before the commit is sent, and must prevent it. */
    throwUnsent() {
      if (failure !== undefined) throw failure.error
    },
  }
}

/** drizzle keeps the connection of a handle to itself; its savepoints share it. */
export function connectionOf(db: Db): pg.ClientBase {
  return (db as unknown as { session: { client: pg.ClientBase } }).session.client
}

/** Like `transaction`, read only; the commit is sent but not waited for, so it costs no round trip. */
export async function readOnly<T>(
  pool: pg.Pool,
  setting: Setting,
  id: number,
  work: (db: Db) => Promise<T>,
  start: 'begin read only' | 'begin isolation level repeatable read read only' = 'begin read only',
): Promise<T> {
  const client = await checkOut(pool)
  const handle = handleOn(client)
  let broken = true
  try {
    const begun = begin(client, start, setting, id)
    const result = await work(handle.db)
    await begun
    // Nothing was written, and the next user of this connection queues behind the commit. The pool learns of a broken
    // connection from its own event.
    client.query('commit').catch(ignoreLostConnection)
    broken = false
    return result
  } catch (error) {
    broken = !(await rollBack(client))
    throw unavailable(error)
  } finally {
    handle.close()
    client.release(broken)
  }
}

/**
 * Like `readOnly` for queries that are all issued at once: begin, queries and commit travel in one packet. What
 * is asked for later is refused.
 */
export async function readOnce<T>(
  pool: pg.Pool,
  setting: Setting,
  id: number,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const client = await checkOut(pool)
  const handle = handleOn(client)
  let broken = true
  try {
    const begun = begin(client, 'begin read only', setting, id)
    process.nextTick(() => {
      handle.close()
      // Should a query fail, it ends the failed transaction all the same.
      client.query('commit').catch(ignoreLostConnection)
    })
    const result = await work(handle.db)
    await begun
    broken = false
    return result
  } catch (error) {
    broken = isLost(error)
    throw unavailable(error)
  } finally {
    client.release(broken)
  }
}

async function checkOut(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw unavailable(error)
  }
}

/**
 * Sent without waiting: the connection is in pipeline mode, so the first query follows in the same packet.
 * Should it fail, no setting is in force, and row-level security yields nothing.
 */
function begin(
  client: pg.PoolClient,
  how: string,
  setting: Setting | undefined,
  id: number,
): Promise<unknown> {
  if (!Number.isSafeInteger(id)) throw new TypeError(`Not an id: ${String(id)}`)
  hold(client)
  const begun = client.query(setting === undefined ? how : `${how}; set local bey.${setting} = ${id}`)
  // Awaited after the work; until then a rejection must not count as unhandled.
  begun.catch(ignoreLostConnection)
  return begun
}

/**
 * Holds what is written until the promises that are ready have run, so that it leaves in one packet with the
 * first query. A system call costs more than the rest of a small query.
 */
function hold(client: pg.PoolClient): void {
  if (held.has(client)) return
  held.add(client)
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  stream.cork()
  // Ticks run when no promise is ready any more. Nested, so that it comes after what others do in theirs.
  process.nextTick(() =>
    process.nextTick(() => {
      held.delete(client)
      stream.uncork()
    }),
  )
}

const held = new WeakSet<pg.PoolClient>()

/** False when the connection cannot be used again. */
async function rollBack(client: pg.PoolClient): Promise<boolean> {
  try {
    await client.query('rollback')
    return true
  } catch (error) {
    ignoreLostConnection(error)
    return false
  }
}

function ignoreLostConnection(_error: unknown): void {}

const dialect = new PgDialect()

/**
 * A handle for one transaction. Closed with it: work that goes on after its transaction has ended (the rest of
 * a `Promise.all` of which one part failed) would else run in the next one on this connection, which may be
 * another organization's.
 */
function handleOn(client: pg.PoolClient): { db: Db; close(): void } {
  let isOpen = true
  const guarded = {
    query: (...args: Parameters<pg.PoolClient['query']>) => {
      if (!isOpen) return Promise.reject(new Error('The transaction of this query has ended'))
      // Queries that are asked for together leave together.
      hold(client)
      return client.query(...args)
    },
  }
  // The session uses nothing of the client but `query`.
  const session = new NodePgSession<Record<string, never>, Record<string, never>>(
    guarded as unknown as pg.PoolClient,
    dialect,
    undefined,
  )
  return {
    db: new NodePgTransaction(dialect, session, undefined),
    close: () => {
      isOpen = false
    },
  }
}
