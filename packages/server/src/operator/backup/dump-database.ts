import pg from 'pg'

import type { ArchivePart } from '../../features/databases/backups/file-range.ts'
import { findPrograms, programEnvironment, startProgram } from './postgres-programs.ts'
import { countIn } from './row-counts.ts'

/**
 * Dumps a database that Bey does not run, as one snapshot sees it, and counts its rows in the same snapshot. `store` takes the dump
 * and reads it to its end. Throws ConfigError where there is no program for it, and where that fails.
 */
export async function dumpDatabase(
  databaseUrl: string,
  path: string | undefined,
  signal: AbortSignal,
  store: (source: AsyncIterable<ArchivePart>) => Promise<void>,
) {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'bey-instance-backup' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const { rows: found } = await client.query<{ snapshot: string; version: string; at: Date }>(
      `select pg_export_snapshot() as snapshot, current_setting('server_version') as version, clock_timestamp() as at`,
    )
    const [moment] = found
    if (moment === undefined) throw new Error('PostgreSQL exported no snapshot')
    const version = moment.version.split(' ')[0] ?? moment.version
    const { dump } = await findPrograms(version, path)
    // Compressed with everything else. Policies hold for the owner as well, and let it see every row.
    const args = ['--format=custom', '--compress=0', '--no-owner', '--enable-row-security']
    const { child, ended } = startProgram(
      dump,
      [...args, `--snapshot=${moment.snapshot}`],
      programEnvironment(databaseUrl, path),
    )
    const abort = () => void child.kill()
    signal.addEventListener('abort', abort, { once: true })
    try {
      child.stdin.end()
      const whole = ended.then(
        () => undefined,
        (error: unknown) => error,
      )
      await store(untilEnd(child.stdout, whole))
    } finally {
      signal.removeEventListener('abort', abort)
      child.kill()
    }
    const counts = await countIn(client)
    const rows: Record<string, [number, number]> = Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, [count, count]]),
    )
    return { rows, version, consistentAt: moment.at }
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The output of a program, which ends well only where the program does. */
async function* untilEnd(output: AsyncIterable<Buffer>, ended: Promise<unknown>): AsyncGenerator<Buffer> {
  yield* output
  const error = await ended
  if (error !== undefined) throw error
}
