import { execFile } from 'node:child_process'
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { ConfigError } from '../../errors.ts'
import type { Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import type { Layout } from './layout.ts'

const run = promisify(execFile)

/**
 * Makes the cluster's files unless they exist. True when they are new. Throws ConfigError for files of another
 * major version or of another user.
 */
export async function initCluster(
  binaries: Binaries,
  layout: Layout,
  account: Account,
  isDurable: boolean,
): Promise<boolean> {
  const { clusterDir, password } = layout
  const version = await versionOf(layout)
  if (version !== undefined) {
    if (version === binaries.majorVersion) return false
    throw new ConfigError(
      `The database in ${clusterDir} was made by PostgreSQL ${version}, and this Bey brings ${binaries.majorVersion}. Go back to the Bey that made it, or move the data with pg_dump and set DATABASE_URL.`,
    )
  }
  // Made under another name: a start that was interrupted must not leave half a cluster in the right place.
  const partial = `${clusterDir}.new`
  const passwordFile = `${clusterDir}.new-password`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true, mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (account.initdb !== undefined) {
    await chown(partial, account.initdb.uid, account.initdb.gid)
    await chown(passwordFile, account.initdb.uid, account.initdb.gid)
  }
  try {
    const flags =
      `--username=postgres --auth=scram-sha-256 --encoding=UTF8 --locale=C --locale-provider=builtin
      --builtin-locale=C.UTF-8 --data-checksums --no-instructions`.split(/\s+/)
    if (!isDurable) flags.push('--no-sync')
    await run(binaries.initdb, [...flags, `--pgdata=${partial}`, `--pwfile=${passwordFile}`], {
      ...account.initdb,
      cwd: '/',
      env: { LC_ALL: 'C', TZ: 'UTC' },
    })
    if (account.server !== undefined && account.initdb?.uid !== account.server.uid) {
      await chownAll(partial, account.server)
    }
    await rename(partial, clusterDir)
  } finally {
    await rm(passwordFile, { force: true })
  }
  return true
}

async function chownAll(dir: string, owner: { uid: number; gid: number }): Promise<void> {
  await chown(dir, owner.uid, owner.gid)
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    await chown(join(entry.parentPath, entry.name), owner.uid, owner.gid)
  }
}

async function versionOf(layout: Layout): Promise<string | undefined> {
  try {
    return (await readFile(join(layout.clusterDir, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') throw foreignCluster(layout)
    throw error
  }
}

/** As happens when Bey was started by root once and by somebody else later. */
export function foreignCluster(layout: Layout): ConfigError {
  return new ConfigError(
    `The database in ${layout.clusterDir} belongs to another user. Start Bey as the user who started it first, or set BEY_DATA_DIR to another folder.`,
  )
}
