import pg from 'pg'

import { checkName } from '../../platform/crypto/root-key.ts'

/** The migrations that a database of Bey has, and the root key that it belongs to. */
export async function describeDatabase(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ at: string }>(
      'select created_at as at from drizzle.__drizzle_migrations order by created_at',
    )
    const { rows: keys } = await client.query<{ fingerprint: string | null }>(
      'select public_pem as fingerprint from server_keys where name = $1',
      [checkName],
    )
    return {
      migrations: rows.map(({ at }) => Number(at)),
      /** Of the root key that the database belongs to; undefined before the first start. */
      fingerprint: keys[0]?.fingerprint ?? undefined,
    }
  } finally {
    await client.end()
  }
}
