import { randomBytes } from 'node:crypto'

import pg from 'pg'

import { openEmbedded } from '../open-connection.ts'
import type { DatabasePlacement, DatabaseServers } from '../provider.ts'
import { ensureReader, readerName } from '../sql/reader-role.ts'

/**
 * Opens a connection to a restored copy as the role that reads everything and owns nothing. What its owner wrote, functions
 * too, must never run with the rights of the superuser, who may run programs on this machine.
 */
export async function openReader(
  embedded: Pick<DatabaseServers, 'connection'>,
  placement: DatabasePlacement,
  databaseName: string,
): Promise<pg.Client> {
  const password = randomBytes(24).toString('base64url')
  const admin = await openEmbedded(embedded, placement, databaseName)
  try {
    await ensureReader(admin, password)
  } finally {
    await admin.end()
  }
  const client = new pg.Client({
    host: '127.0.0.1',
    port: placement.port,
    database: databaseName,
    user: readerName,
    password,
    application_name: 'bey-drill',
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}
