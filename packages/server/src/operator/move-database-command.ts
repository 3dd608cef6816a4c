import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { checkDatabaseUrl } from '../database-url.ts'
import { describeUrl } from '../platform/db/roles.ts'
import { ConfigError } from '../platform/errors.ts'
import { moveDatabase } from './move/move-database.ts'
import type { OperatorCall } from './operator-call.ts'
import { readRootKey } from './read-root-key.ts'

export const moveDatabaseUsage = `bey move-database [--to <postgres://…>] [--json]

Copies the embedded database of a Bey that is stopped into an empty one of PostgreSQL 15 or newer, and compares every row. Without
--to it is the one of DATABASE_URL, which keeps its password off the command line. The embedded database is only read. When all of it
is there, no server starts with the embedded one any more.`

/** Moves the embedded database; answers the exit code, 1 where what arrived is not what was sent. */
export async function moveDatabaseCommand({
  args,
  config,
  log,
  out,
  note,
  signal,
}: OperatorCall): Promise<number> {
  const { values } = parseArgs({ args, options: { to: { type: 'string' }, json: { type: 'boolean' } } })
  const to = readTarget(values.to, config.databaseUrl)
  const { rootKey } = await readRootKey(config)
  const { dataDir } = config
  const beganMs = performance.now()
  const verification = await moveDatabase({ dataDir, to, rootKey, signal, log })
  const seconds = (performance.now() - beganMs) / 1000
  const { tables, rows, secrets, problems } = verification
  const where = describeUrl(to)
  const isMoved = problems.length === 0
  if (values.json === true) out(`${JSON.stringify({ to: where, seconds, ...verification }, null, 2)}\n`)
  else {
    note(
      [
        `Copied ${rows} rows of ${tables} tables to ${where} in ${seconds.toFixed(1)} s; every row was read again there and is as it was sent.`,
        `  ${secrets} values of secrets open there.`,
        ...problems.map((each) => `  ✗ ${each}`),
        ...(isMoved
          ? nextSteps(dataDir, where)
          : ['  It is not what was sent. Run the command again; the embedded database is as it was.']),
        '',
      ].join('\n'),
    )
  }
  return isMoved ? 0 : 1
}

function nextSteps(dataDir: string, where: string): string[] {
  return [
    `  1. Set DATABASE_URL to ${where} with its user and password. Keep BEY_DATA_DIR=${dataDir} and the root key: sandboxes and databases stay there.`,
    '  2. Start Bey, and run bey doctor with the same settings.',
    '  3. Run bey backup: from now on it needs pg_dump on this machine.',
    `  ${join(dataDir, 'postgres')} is as it was. No server starts with it, until ${join(dataDir, 'moved-to')} is removed.`,
  ]
}

function readTarget(given: string | undefined, configured: string | undefined): string {
  if (given !== undefined && configured !== undefined && given !== configured)
    throw new ConfigError('DATABASE_URL and --to name two databases. Give one of them.')
  const to = given === undefined ? configured : checkDatabaseUrl(given)
  if (to !== undefined) return to
  throw new ConfigError('Say where to: DATABASE_URL or --to, as postgres://user:password@host:5432/database.')
}
