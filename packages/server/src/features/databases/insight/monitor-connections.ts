import type { Client } from 'pg'

import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { monitorName } from '../open-connection.ts'
import { failureOf, openSession, type SessionParts } from '../sql/open-session.ts'
import { isRefusal } from '../sql/sql-error.ts'
import type { DatabaseRow } from '../store.ts'

/** A connection that nobody used for so long is ended. */
const idleMs = 30_000
const statementTimeoutMs = 5_000
/** Nothing is asked on a connection whose server has not answered within this. */
const silentAfterMs = 10_000

type Kept = {
  /** How the server is reached: a connection to another address or with another password is another one. */
  reachedBy: string
  client: Promise<OpenMonitor>
  /** Questions follow each other: the server is not asked twice at a time. */
  turn: Promise<unknown>
  usedAtMs: number
}

/** A connection of the monitor, and the version of the server, such as 170002. */
export type MonitorClient = {
  client: { query<R extends object>(text: string, values?: unknown[]): Promise<{ rows: R[] }> }
  version: number
}

/** What opens it is needed to end it. */
type OpenMonitor = MonitorClient & { connection: Client }

export type MonitorConnections = ReturnType<typeof createMonitorConnections>

/** One connection to each database that is looked into, kept while it is used, so that a look costs one question. */
export function createMonitorConnections(parts: SessionParts & { clock: Clock }) {
  const { clock } = parts
  const kept = new Map<string, Kept>()
  /** Statements that were executed since they were last asked for: each is a transaction. */
  const executed = new Map<string, number>()

  async function open(row: DatabaseRow): Promise<OpenMonitor> {
    const connection = await openSession(parts, row, 'monitor', monitorName)
    const client: MonitorClient['client'] = {
      query(text, values) {
        executed.set(row.id, (executed.get(row.id) ?? 0) + 1)
        return connection.query(text, values)
      },
    }
    try {
      await client.query(`set statement_timeout = ${statementTimeoutMs}`)
      await client.query("set search_path = 'pg_catalog'")
      const { rows } = await client.query<{ number: number }>(
        `select current_setting('server_version_num')::int as number`,
      )
      return { client, connection, version: rows[0]?.number ?? 0 }
    } catch (error) {
      end(connection)
      throw failureOf(row.name, error)
    }
  }

  function keptOf(row: DatabaseRow): Kept {
    const reachedBy = reachText(row)
    const known = kept.get(row.id)
    if (known?.reachedBy === reachedBy) return known
    if (known) retire(row.id, known)
    const made = { reachedBy, client: open(row), turn: Promise.resolve(), usedAtMs: clock.monotonicMs() }
    kept.set(row.id, made)
    // The server was stopped, or somebody ended the session: the next question opens another.
    made.client
      .then((opened) => opened.connection.once('end', () => drop(row.id, made)))
      .catch(() => undefined)
    return made
  }

  /** Ends a connection that is reached otherwise now, once what is asked on it is answered. */
  function retire(id: string, connection: Kept): void {
    kept.delete(id)
    void connection.turn.then(() => drop(id, connection))
  }

  function drop(id: string, connection: Kept): void {
    if (kept.get(id) === connection) kept.delete(id)
    connection.client.then((opened) => end(opened.connection)).catch(() => undefined)
  }

  const cancel = clock.setInterval(() => {
    const now = clock.monotonicMs()
    for (const [id, connection] of kept) if (now - connection.usedAtMs > idleMs) drop(id, connection)
  }, idleMs)

  return {
    /**
     * Does a piece of work on the connection of a database, one at a time. Throws AppError `conflict` for a database that is
     * not running, and `database_unreachable` with the cause in words.
     */
    use<T>(row: DatabaseRow, work: (monitor: MonitorClient) => Promise<T>): Promise<T> {
      const connection = keptOf(row)
      connection.usedAtMs = clock.monotonicMs()
      const done = connection.turn.then(async () => {
        try {
          const monitor = await connection.client
          return await orSilent(work(monitor), row.name, clock)
        } catch (error) {
          // What the server refuses leaves the connection as it is.
          if (isRefusal(error) && !isGone(error)) throw error
          drop(row.id, connection)
          throw failureOf(row.name, error)
        }
      })
      connection.turn = done.catch(() => undefined)
      return done
    },
    /** How many transactions this process itself has made in a database since it was last asked. */
    takeExecuted(id: string): number {
      const count = executed.get(id) ?? 0
      executed.delete(id)
      return count
    },
    stop(): void {
      cancel()
      for (const [id, connection] of kept) drop(id, connection)
    },
  }
}

/** The server ended the connection: an administrator did, or it is shutting down. */
const isGone = (error: { code?: string | undefined }) => /^(57P|08)/.test(error.code ?? '')

function reachText(row: DatabaseRow): string {
  const { host, port, databaseName, username, tls, caPem, credentialSecretId, credentialVersion, dir, cnpg } =
    row
  return JSON.stringify([
    host,
    port,
    databaseName,
    username,
    tls,
    caPem,
    credentialSecretId,
    credentialVersion,
    dir,
    // Another pod became the primary.
    cnpg?.observed?.primary,
  ])
}

function orSilent<T>(work: Promise<T>, name: string, clock: Clock): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimeout(
      () => reject(new AppError('database_unreachable', `The database "${name}" does not answer.`)),
      silentAfterMs,
    )
    work.then(resolve, reject).finally(cancel)
  })
}

function end(client: Client): void {
  client.end().catch(() => undefined)
}
