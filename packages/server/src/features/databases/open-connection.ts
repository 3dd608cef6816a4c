import pg from 'pg'

import type { DatabasePlacement, DatabaseServers, OpenConnection } from './provider.ts'

/** Names the sessions of Bey itself in a server's own views. */
export const monitorName = 'bey-monitor'

/** Opens a connection with all rights to a server of this machine. */
export async function openEmbedded(
  embedded: Pick<DatabaseServers, 'connection'>,
  placement: DatabasePlacement,
  databaseName: string,
): Promise<OpenConnection> {
  const client = new pg.Client({
    ...(await embedded.connection(placement, databaseName)),
    application_name: monitorName,
    connectionTimeoutMillis: 5_000,
    query_timeout: 10_000,
  })
  client.on('error', () => undefined)
  await client.connect()
  return {
    client,
    query: (text, values) => client.query(text, values as unknown[]),
    isEncrypted: false,
    end: () => client.end(),
  }
}
