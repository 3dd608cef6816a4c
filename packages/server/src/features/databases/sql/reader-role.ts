import pg from 'pg'

import type { OpenConnection } from '../provider.ts'

/** The role by which the SQL console reads in a server that Bey runs. */
export const readerName = 'bey_reader'

/** Sessions of the console at a time: they must not take all connections of a small server. */
const maxSessions = 5

/** Makes the role that may read everything and change nothing, unless it exists, and gives it this password. */
export async function ensureReader(admin: OpenConnection, password: string): Promise<void> {
  // A password in a statement must not reach the server's log, whatever a database's settings ask for.
  await admin.query('set log_statement = none')
  await admin.query('set log_min_duration_statement = -1')
  await admin.query('set log_min_error_statement = panic')
  const rights = `login nosuperuser nocreatedb nocreaterole noreplication
    connection limit ${maxSessions} password ${pg.escapeLiteral(password)}`
  await admin.query(`create role ${readerName} ${rights}`).catch((error: unknown) => {
    // It exists, perhaps since a moment: two first readers may come at a time.
    if (!['42710', '23505'].includes(String((error as { code?: unknown }).code))) throw error
    return admin.query(`alter role ${readerName} ${rights}`)
  })
  await admin.query(`grant pg_read_all_data to ${readerName}`)
  await admin.query(`alter role ${readerName} set default_transaction_read_only = on`)
}
