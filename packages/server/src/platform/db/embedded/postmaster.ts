import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { kill } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Account } from './account.ts'
import type { Layout } from './layout.ts'
import { endOrphans } from './orphans.ts'

/** A running server: our child, or one that an earlier process of ours left behind. */
export type Postmaster = {
  pid: number
  isAdopted: boolean
  /** Resolves when the process is gone, for whatever reason; with how it ended where it is our child. */
  gone: Promise<PostmasterEnd>
}

/** `unknown`: an earlier process of ours had started it. */
export type PostmasterEnd = { code: number | null; signal: NodeJS.Signals | null } | 'unknown'

const maxLogBytes = 8 * 1024 * 1024

/** Small on purpose: the server at rest with its database shall stay under 300 MB. */
const settings: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  cluster_name: 'bey',
  max_connections: '100',
  shared_buffers: '32MB',
  wal_buffers: '1MB',
  maintenance_work_mem: '32MB',
  min_wal_size: '48MB',
  max_wal_size: '256MB',
  max_worker_processes: '4',
  max_parallel_workers: '2',
  autovacuum_max_workers: '2',
  io_method: 'sync',
  huge_pages: 'off',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  // A backend that is left alone by a crashed server process gives its locks back within half a minute.
  tcp_keepalives_idle: '15',
  client_connection_check_interval: '5s',
}

/** For tests: a crash of the machine (not of the server) may cost the data, and many test files share the connections. */
const fragileSettings: Record<string, string> = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '300',
}

/**
 * Starts the server detached: an interrupt typed at the terminal must reach us, and only us. `others` are settings that
 * take the place of those of Bey's own server; one without a value is left to the files of the server.
 */
export async function spawnPostmaster(
  binary: string,
  layout: Layout,
  account: Account,
  isDurable: boolean,
  others: Readonly<Record<string, string | undefined>> = {},
): Promise<Postmaster> {
  const all: Record<string, string | undefined> = {
    ...settings,
    unix_socket_directories: layout.socketDir,
    ...(isDurable ? {} : fragileSettings),
    ...others,
  }
  const size = await stat(layout.logFile).then(
    (found) => found.size,
    () => 0,
  )
  if (size > maxLogBytes) await truncate(layout.logFile)
  const log = await open(layout.logFile, 'a', 0o600)
  try {
    const args = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : ['-c', `${name}=${value}`],
    )
    const child = spawn(binary, ['-D', layout.clusterDir, ...args], {
      ...account.server,
      cwd: '/',
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
    })
    const gone = once(child, 'exit').then(
      ([code, signal]: (number | NodeJS.Signals | null)[]): PostmasterEnd => ({
        code: typeof code === 'number' ? code : null,
        signal: typeof signal === 'string' ? signal : null,
      }),
    )
    gone.catch(() => undefined)
    await once(child, 'spawn')
    child.unref()
    if (child.pid === undefined) throw new Error('PostgreSQL did not start')
    return { pid: child.pid, isAdopted: false, gone }
  } finally {
    await log.close()
  }
}

/** The server that already runs on these files, if one does. Removes what is left of one that does not. */
export async function findPostmaster(layout: Layout): Promise<Postmaster | undefined> {
  const pidFile = join(layout.clusterDir, 'postmaster.pid')
  const text = await readFile(pidFile, 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  if (!Number.isSafeInteger(pid) || pid <= 1) return undefined
  if (isAlive(pid) && (await isPostgres(pid))) return { pid, isAdopted: true, gone: whenGone(pid) }
  await endOrphans(layout.clusterDir)
  // The number may by now be another program's, which PostgreSQL would take for a running server.
  await rm(pidFile, { force: true })
  return undefined
}

/** Stops the server: fast, then by force after 20 s. */
export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  signal(postmaster.pid, 'SIGINT')
  // The child is not referenced, so something has to keep this process alive until the files are closed.
  const quitTimer = setTimeout(() => signal(postmaster.pid, 'SIGQUIT'), 20_000)
  await postmaster.gone
  clearTimeout(quitTimer)
}

async function whenGone(pid: number): Promise<PostmasterEnd> {
  // Not our child process, so no exit event arrives.
  while (isAlive(pid)) await sleep(200, undefined, { ref: false })
  return 'unknown'
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    return kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function isPostgres(pid: number): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => undefined)
  // Without /proc (macOS) the answer on the socket decides.
  return name === undefined || name.trim() === 'postgres'
}
