import pg from 'pg'

import type { OpenConnection } from '../provider.ts'

/** The role by which Bey looks into a server of its own. Unlike the administrator it cannot be made to change anything. */
export const monitorRole = 'bey_monitor'

/** One connection of each process is kept; another may be opened while the one before it ends. */
const maxSessions = 3

/**
 * Makes the role that sees what others do and may end it, unless it exists, and gives it this password; switches on the
 * statistics of statements in this database.
 */
export async function ensureMonitor(admin: OpenConnection, password: string): Promise<void> {
  // A password in a statement must not reach the server's log, whatever a database's settings ask for.
  await admin.query('set log_statement = none')
  await admin.query('set log_min_duration_statement = -1')
  await admin.query('set log_min_error_statement = panic')
  const rights = `login nosuperuser nocreatedb nocreaterole noreplication
    connection limit ${maxSessions} password ${pg.escapeLiteral(password)}`
  await admin.query(`create role ${monitorRole} ${rights}`).catch((error: unknown) => {
    // It exists, perhaps since a moment: two first looks may come at a time.
    if (!['42710', '23505'].includes(String((error as { code?: unknown }).code))) throw error
    return admin.query(`alter role ${monitorRole} ${rights}`)
  })
  // The data are read for the last values of sequences and the statistics of columns alone.
  await admin.query(`grant pg_monitor, pg_signal_backend, pg_read_all_data to ${monitorRole}`)
  await admin.query('create extension if not exists pg_stat_statements schema public')
}
