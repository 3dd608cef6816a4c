import { createHash, randomBytes } from 'node:crypto'
import { chmod, chown, lstat, mkdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { ConfigError } from '../../errors.ts'
import type { Account } from './account.ts'
import { isEntered } from './reach.ts'

/** Where the parts of an embedded server stand. */
export type Layout = {
  /** The cluster's files (PGDATA); only its account may enter. */
  clusterDir: string
  socketDir: string
  /** Names the socket, and is listened on where the settings say so. */
  port: number
  logFile: string
  password: string
  /** For a copy of the binaries, where needed. */
  copyDir: string
}

/** A unix socket's path may have 107 bytes on Linux and 103 on macOS, `.s.PGSQL.5432` included. */
const maxSocketDirBytes = 103 - '/.s.PGSQL.65535'.length

/**
 * Decides and prepares the places in `dataDir`. Keeps what an earlier start decided. `publicDir` takes what the
 * account of the server must reach when the data directory lies where only root may enter.
 */
export async function prepareLayout(
  dataDir: string,
  publicDir: string,
  account: Account,
  port = 5432,
): Promise<Layout> {
  await mkdir(dataDir, { recursive: true, mode: 0o755 })
  const id = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const clusterDir = await chooseClusterDir(dataDir, join(publicDir, id), account)
  const socketDir =
    Buffer.byteLength(clusterDir) <= maxSocketDirBytes ? clusterDir : await shortDir(`bey-${id}`, account)
  return {
    clusterDir,
    socketDir,
    port,
    logFile: join(dataDir, 'postgres.log'),
    password: await keepPassword(join(dataDir, 'postgres.password')),
    copyDir: publicDir,
  }
}

async function chooseClusterDir(dataDir: string, elsewhereDir: string, account: Account): Promise<string> {
  const usual = join(dataDir, 'postgres')
  const earlier = await readlink(usual).catch(() => undefined)
  if (earlier !== undefined) {
    await mkdir(dirname(earlier), { recursive: true, mode: 0o755 })
    return earlier
  }
  const { server } = account
  if (server === undefined || (await isEntered(dataDir, server.uid))) return usual
  if (await isEntered(dirname(dataDir), server.uid)) {
    // Only our own folder is in the way. Others may now pass through it, not list it; our files are closed.
    await chmod(dataDir, (await stat(dataDir)).mode | 0o011)
    return usual
  }
  const elsewhere = join(`${elsewhereDir}-${randomBytes(3).toString('hex')}`, 'postgres')
  await mkdir(dirname(elsewhere), { recursive: true, mode: 0o755 })
  await symlink(elsewhere, usual)
  return elsewhere
}

async function shortDir(name: string, account: Account): Promise<string> {
  const dir = join(Buffer.byteLength(tmpdir()) > 60 ? '/tmp' : tmpdir(), name)
  await mkdir(dir, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  if (account.server !== undefined) await chown(dir, account.server.uid, account.server.gid)
  const found = await lstat(dir)
  // Anybody can make a folder of this name in a shared directory and would then own our socket.
  const isOurs = found.isDirectory() && (account.server === undefined || found.uid === account.server.uid)
  if (!isOurs || (found.mode & 0o077) !== 0) {
    throw new ConfigError(
      `The folder ${dir} belongs to somebody else. Remove it, or set BEY_DATA_DIR to a shorter path.`,
    )
  }
  return dir
}

async function keepPassword(file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (kept !== undefined && kept.length > 0) return kept.trim()
  const password = randomBytes(24).toString('base64url')
  await writeFile(file, `${password}\n`, { mode: 0o600, flush: true })
  return password
}
