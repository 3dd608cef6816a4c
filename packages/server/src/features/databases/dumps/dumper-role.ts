import pg from 'pg'
import { dumpLimits } from '@bey/contract'

import type { OpenConnection } from '../provider.ts'

/** The role by which a server that Bey runs is dumped, and by which its rows are compared. */
export const dumperName = 'bey_dumper'

/** Comparisons of its rows with those of another database at a time. */
const comparisons = 4

/** Makes the role that reads everything, whoever owns it and whatever policies rows have, and gives it this password. */
export async function ensureDumper(admin: OpenConnection, password: string): Promise<void> {
  // A password in a statement must not reach the server's log, whatever a database's settings ask for.
  await admin.query('set log_statement = none')
  await admin.query('set log_min_duration_statement = -1')
  await admin.query('set log_min_error_statement = panic')
  // One to look whether it is there, beside those that dump, and those that compare rows before and after a swap.
  const rights = `login nosuperuser nocreatedb nocreaterole noreplication bypassrls
    connection limit ${dumpLimits.atOncePerDatabase + 2 + comparisons} password ${pg.escapeLiteral(password)}`
  await admin.query(`create role ${dumperName} ${rights}`).catch((error: unknown) => {
    // It exists, perhaps since a moment: two first dumps may come at a time.
    if (!['42710', '23505'].includes(String((error as { code?: unknown }).code))) throw error
    return admin.query(`alter role ${dumperName} ${rights}`)
  })
  await admin.query(`grant pg_read_all_data to ${dumperName}`)
  await admin.query(`alter role ${dumperName} set default_transaction_read_only = on`)
  // Large objects are no part of pg_read_all_data.
  await admin.query(`alter role ${dumperName} set lo_compat_privileges = on`)
}
