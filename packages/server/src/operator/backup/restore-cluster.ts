import { existsSync } from 'node:fs'
import { chown, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

import { chooseAccount } from '../../platform/db/embedded/account.ts'
import { findBinaries } from '../../platform/db/embedded/binaries.ts'
import { prepareLayout } from '../../platform/db/embedded/layout.ts'
import { spawnPostmaster, stopPostmaster } from '../../platform/db/embedded/postmaster.ts'
import { addressOf, lastLogLines } from '../../platform/db/embedded/start.ts'
import { ConfigError } from '../../platform/errors.ts'
import { DamagedBackup } from './damaged-backup.ts'
import type { openParts } from './unpack.ts'

const publicDir = '/var/lib/bey'
const waitMs = 50

type Restore = {
  parts: ReturnType<typeof openParts>
  /** Of the part with the files of the server. */
  name: string
  /** Of the server's data, in which `postgres.password` is already. */
  directory: string
  signal: AbortSignal
  /** False for a throw-away server: a crash of the machine may cost the data. */
  isDurable: boolean
}

/**
 * Makes the files of a server and replays its WAL, after which it is on a timeline of its own and stopped. Throws ConfigError
 * for another major version of PostgreSQL, and where the files cannot be recovered.
 */
export async function restoreCluster({ parts, name, directory, signal, isDurable }: Restore): Promise<void> {
  const account = await chooseAccount()
  const binaries = await findBinaries(account.server?.uid, publicDir)
  const layout = await prepareLayout(directory, publicDir, account)
  const { clusterDir } = layout
  await parts.unpack(name, clusterDir, account.server)
  const version = (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (version !== binaries.majorVersion) {
    throw new ConfigError(
      `The backup was made by PostgreSQL ${version === '' ? 'of an unknown version' : version}, and this Bey brings ${binaries.majorVersion}. Restore it with the Bey that made it.`,
    )
  }
  // A server that was stopped has all of its changes in its files.
  if (!existsSync(join(clusterDir, 'backup_label'))) return
  await parts.unpack(`${name}-wal`, join(clusterDir, 'pg_wal'), account.server)
  const recovery = join(clusterDir, 'recovery.signal')
  await writeFile(recovery, '', { mode: 0o600 })
  if (account.server !== undefined) await chown(recovery, account.server.uid, account.server.gid)
  const server = await spawnPostmaster(binaries.postgres, layout, account, isDurable, {
    // All of the WAL is where the server looks first.
    restore_command: 'false',
    archive_command: 'true',
    listen_addresses: '',
    shared_preload_libraries: '',
  })
  const state = { isGone: false }
  void server.gone.then(() => (state.isGone = true))
  try {
    while (!(await isPromoted(addressOf(layout, 'postgres', 'postgres')))) {
      signal.throwIfAborted()
      if (state.isGone) {
        throw new DamagedBackup(
          `The database of the backup does not start:\n${await lastLogLines(layout)}\nRestore another backup.`,
        )
      }
      await sleep(waitMs)
    }
  } finally {
    if (!state.isGone) await stopPostmaster(server)
  }
  await rm(recovery, { force: true })
}

/** False as well while the server takes no connections yet. */
async function isPromoted(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering')
    return rows[0]?.recovering === false
  } catch {
    // Whether it has ended is seen by the caller.
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
