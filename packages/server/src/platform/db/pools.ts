import type { Socket } from 'node:net'

import pg from 'pg'

import type { Log } from '../log.ts'
import type { DatabaseConfig } from './database.ts'
import { refuseStandby } from './standby.ts'

export type Pools = {
  pool: pg.Pool
  ownerPool: pg.Pool
  /**
   * Gives up the connections that say nothing for a while from now on; what was asked by them is rejected. For when
   * the server was lost and answers again: a machine that went away closes nothing, and TCP hopes for a quarter of an
   * hour.
   */
  giveUpSilent(): void
  /**
   * Begins to observe every connection. The returned function, called later, destroys those that have received
   * nothing since: if the server does not respond, pending queries are rejected instead of waiting.
   */
  listen(): () => void
}

/**
 * Connections of the application role and of the owner. Both survive the loss of the server: a dead
 * connection is dropped, and the next request opens another.
 */
export function createPools(url: string, config: DatabaseConfig, log: Log): Pools {
  const shared = {
    connectionString: url,
    connectionTimeoutMillis: config.connectWithinMs ?? 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  }
  const pool = new pg.Pool({
    ...shared,
    application_name: 'bey',
    max: config.maxConnections ?? 10,
    pipeline: true,
    // oxlint-disable-next-line typescript/no-misused-promises -- pg waits for it, though its types do not say so
    onConnect: (client) =>
      prepareConnection(client, `set role bey_app; ${limits}; set statement_timeout = '30s'`),
  })
  const ownerPool = new pg.Pool({
    ...shared,
    application_name: 'bey-owner',
    max: config.maxOwnerConnections ?? 10,
    // oxlint-disable-next-line typescript/no-misused-promises -- pg waits for it, though its types do not say so
    onConnect: (client) => prepareConnection(client, limits),
  })
  const connected = new Set<pg.PoolClient>()
  for (const each of [pool, ownerPool]) {
    each.on('error', (error) => log.debug({ err: error }, 'An idle database connection was lost'))
    // While a connection is in use the pool does not listen, and an error without listener ends the process;
    // the query that was under way is rejected anyway.
    each.on('connect', (client) => {
      client.on('error', () => undefined)
      connected.add(client)
    })
    each.on('remove', (client) => void connected.delete(client))
  }
  function listen(): () => void {
    const bytesBefore = [...connected].map((client) => ({
      socket: socketOf(client),
      bytes: socketOf(client).bytesRead,
    }))
    return () => {
      for (const { socket, bytes } of bytesBefore) if (socket.bytesRead === bytes) socket.destroy()
    }
  }

  return {
    pool,
    ownerPool,
    giveUpSilent: () => void setTimeout(listen(), patienceMs).unref(),
    listen,
  }
}

/** A server that was merely frozen answers what it was asked within this time. */
const patienceMs = 2_000

/** Its types do not show what pg keeps. */
function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

const prepareTimeoutMs = 3_000

const limits = `set idle_in_transaction_session_timeout = '15s'; set timezone = 'UTC'`

async function prepareConnection(client: pg.ClientBase, statements: string): Promise<void> {
  try {
    await client.query({ text: statements, query_timeout: prepareTimeoutMs } as pg.QueryConfig)
    await refuseStandby(client, prepareTimeoutMs)
  } catch (error) {
    // The pool waits for the end of the connection, which a server that is frozen never confirms.
    socketOf(client).destroy()
    throw error
  }
}
