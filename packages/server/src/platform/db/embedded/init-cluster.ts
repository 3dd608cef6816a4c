import { execFile } from 'node:child_process'
import { access, chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import type { Account } from './account.ts'
import type { Layout } from './layout.ts'

const run = promisify(execFile)

/** Makes the cluster's files unless they exist. True when they are new. */
export async function initCluster(
  initdb: string,
  layout: Layout,
  account: Account,
  isDurable: boolean,
): Promise<boolean> {
  const { clusterDir, password } = layout
  if (await exists(join(clusterDir, 'PG_VERSION'))) return false
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
    await run(initdb, [...flags, `--pgdata=${partial}`, `--pwfile=${passwordFile}`], {
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

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
