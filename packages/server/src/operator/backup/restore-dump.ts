import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import pg from 'pg'

import { ensureAppRole } from '../../platform/db/roles.ts'
import { ConfigError } from '../../platform/errors.ts'
import { countTables } from './count-tables.ts'
import { findPrograms, programEnvironment, startProgram } from './postgres-programs.ts'

/** Restores a dump into an empty database, in one transaction. Throws ConfigError where it is not empty, and where that fails. */
export async function restoreDump(
  databaseUrl: string,
  path: string | undefined,
  dump: { dumpedVersion: string; read(): AsyncIterable<Uint8Array> },
): Promise<void> {
  await requireEmptyDatabase(databaseUrl)
  // A program restores into newer servers as well.
  const { restore } = await findPrograms(dump.dumpedVersion, path)
  await ensureAppRole(databaseUrl)
  const env = programEnvironment(databaseUrl, path)
  const args = ['--no-owner', '--exit-on-error', '--single-transaction', `--dbname=${env['PGDATABASE']}`]
  const { child, ended } = startProgram(restore, args, env)
  child.stdout.resume()
  const failure = ended.then(
    () => undefined,
    (error: unknown) => error,
  )
  try {
    await pipeline(Readable.from(dump.read()), child.stdin)
  } catch (error) {
    child.kill()
    // A program that fails reads no more: what it said tells why.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error
  }
  const error = await failure
  if (error !== undefined) throw error
}

async function requireEmptyDatabase(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const tables = await countTables(client)
    if (tables === 0) return
    throw new ConfigError(
      `The database of DATABASE_URL is not empty: it has ${tables} tables. Restore into an empty one.`,
    )
  } finally {
    await client.end()
  }
}
