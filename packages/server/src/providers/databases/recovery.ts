import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

import { mostConnections } from '@bey/contract'
import pg from 'pg'

import type { DatabaseFiles, RecoveryTarget } from '../../features/databases/backups/database-files.ts'
import type { DatabasePlacement, ProviderDatabase } from '../../features/databases/provider.ts'
import type { Layout } from '../../platform/db/embedded/layout.ts'
import type { Postmaster } from '../../platform/db/embedded/postmaster.ts'
import { addressOf } from '../../platform/db/embedded/start.ts'
import { StepFailure } from '../../platform/engine/step-failure.ts'
import { replayedWal } from './replayed-wal.ts'

/** Where the recovery of a server finds the WAL that it replays. */
export const recoveryWalDir = (clusterDir: string) => `${clusterDir}.recovery-wal`
/** Who may connect while a server recovers: Bey, over the socket, for the password of the superuser is the source's. */
const accessFile = (clusterDir: string) => `${clusterDir}.recovery-hba`

/** How the servers of a provider are started and stopped. */
export type RecoveryServer = {
  start(
    database: ProviderDatabase,
    placement: DatabasePlacement,
    settings: Readonly<Record<string, string>>,
  ): Promise<Postmaster>
  stop(id: string, placement: DatabasePlacement): Promise<string>
}

type Options = {
  layoutOf(placement: DatabasePlacement): Promise<Layout>
  server: RecoveryServer
  give(path: string): Promise<void>
}

const reportMs = 5_000
const endedEarly = /recovery ended before configured recovery target was reached/

/** Replays WAL until a moment and makes the server one of its own. */
export function createRecovery({ layoutOf, server, give }: Options): DatabaseFiles['recover'] {
  return async function recover(database, placement, target, maxConnections, step) {
    const layout = await layoutOf(placement)
    const access = accessFile(layout.clusterDir)
    const loggedBefore = await logBytes(layout)
    await writeFile(access, 'local all all trust\n', { mode: 0o600 })
    await give(access)

    const attempt = async (to: RecoveryTarget) => {
      const settings = recoverySettings(layout, to, access, maxConnections)
      const logged = await logBytes(layout)
      try {
        const started = await server.start(database, placement, settings)
        return await waitUntilPromoted(layout, started, step)
      } catch (error) {
        // Without anybody who waits for it, it would go on for nothing.
        await server.stop(database.id, placement)
        if (step.signal.aborted) throw error
        throw await explain(layout, logged, error)
      }
    }
    const reachedAt = await attempt(target).catch(async (error: unknown) => {
      if (typeof target === 'string' || !(error instanceof StepFailure)) throw error
      if (!endedEarly.test(error.message)) throw error
      // Nothing was committed between the last transaction of the archive and the moment that was asked for.
      step.log('No transaction was committed after the moment that was asked for.')
      return attempt('latest')
    })
    const replayed = replayedWal(await logSince(layout, loggedBefore))
    await setPassword(layout)
    await server.stop(database.id, placement)
    await rm(access, { force: true })
    await rm(recoveryWalDir(layout.clusterDir), { recursive: true, force: true })
    return { reachedAt, replayed }
  }
}

function recoverySettings(
  layout: Layout,
  target: RecoveryTarget,
  access: string,
  maxConnections: number,
): Record<string, string> {
  const dir = recoveryWalDir(layout.clusterDir).replaceAll("'", `'\\''`).replaceAll('%', '%%')
  return {
    listen_addresses: '',
    hba_file: access,
    // Its source may have had more than its size says.
    max_connections: String(Math.max(maxConnections, mostConnections)),
    restore_command: `cp '${dir}'/%f %p`,
    recovery_target_action: 'promote',
    // Its own WAL begins with the base backup that follows; what it replays is in the archive of its source.
    archive_command: 'true',
    ...(target === 'immediate' && { recovery_target: 'immediate' }),
    ...(typeof target === 'object' && { recovery_target_time: sqlTime(target.time) }),
  }
}

/** Zones by their letters, such as Z, are not known that early. */
const sqlTime = (at: Date) => at.toISOString().replace('T', ' ').replace('Z', '+00')

/** Answers when the last transaction that was replayed had been committed. */
async function waitUntilPromoted(
  layout: Layout,
  server: Postmaster,
  { log, signal }: Parameters<DatabaseFiles['recover']>[4],
): Promise<Date | null> {
  const state: { end?: string; reachedAt: Date | null } = { reachedAt: null }
  void server.gone.then(() => (state.end = 'gone'))
  let reportedMs = performance.now()
  for (;;) {
    signal.throwIfAborted()
    const found = await progressOf(layout)
    if (found !== undefined) {
      state.reachedAt = found.replayedAt ?? state.reachedAt
      if (!found.isInRecovery) return state.reachedAt
    }
    if (state.end !== undefined) throw new Error('The server ended')
    if (performance.now() - reportedMs > reportMs) {
      reportedMs = performance.now()
      const until = state.reachedAt === null ? '' : ` until ${state.reachedAt.toISOString()}`
      log(`Replays the WAL; it has come${until === '' ? ' to no transaction yet' : until}.`)
    }
    await sleep(100)
  }
}

async function progressOf(layout: Layout) {
  const client = new pg.Client({ connectionString: addressOf(layout, 'postgres', 'postgres') })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ in_recovery: boolean; at: Date | null }>(
      'select pg_is_in_recovery() as in_recovery, pg_last_xact_replay_timestamp() as at',
    )
    const [row] = rows
    return row && { isInRecovery: row.in_recovery, replayedAt: row.at }
  } catch {
    // It takes no connections yet, or has ended, which the caller sees.
    return undefined
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Gives the superuser the password of this server, which is Bey's way in. */
async function setPassword(layout: Layout): Promise<void> {
  const client = new pg.Client({ connectionString: addressOf(layout, 'postgres', 'postgres') })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('set log_statement = none')
    await client.query('set log_min_duration_statement = -1')
    await client.query('set log_min_error_statement = panic')
    await client.query(`alter role postgres password ${pg.escapeLiteral(layout.password)}`)
  } finally {
    await client.end()
  }
}

async function logBytes({ logFile }: Layout): Promise<number> {
  return stat(logFile).then(
    ({ size }) => size,
    () => 0,
  )
}

/** What a server wrote to its log after so many bytes. */
async function logSince({ logFile }: Layout, from: number): Promise<string> {
  return (await readFile(logFile).catch(() => Buffer.alloc(0))).subarray(from).toString()
}

/** What the machine is short of, which says nothing about the backup. */
const ofMachine = /No space left on device|Cannot allocate memory|out of memory|could not fork/

/** What connections write when their server ends or has not begun: it follows from the cause, or there is none but a kill. */
const ofConnection = /the database system is|unexpected postmaster exit|due to administrator command/

/** The last line of a server's log that says why it ended; undefined where it was ended from outside. */
export function causeIn(log: string): string | undefined {
  return log
    .split('\n')
    .findLast((line) => /\b(PANIC|FATAL):/.test(line) && !ofConnection.test(line))
    ?.replace(/^.*?\b(?=PANIC|FATAL)/, '')
    .slice(0, 300)
}

/**
 * Why a recovery failed, from what the server wrote to its log since. One that was ended from outside, or for which the machine
 * had no room, has the reason `server_error`: another attempt may succeed.
 */
async function explain(layout: Layout, from: number, error: unknown): Promise<StepFailure> {
  const log = await logSince(layout, from)
  const logged = causeIn(log)
  if (logged === undefined) {
    const message =
      'Its server was ended while it replayed the WAL, as by the system when memory runs out. Begin again.'
    return new StepFailure(message, { cause: error, reason: 'server_error' })
  }
  return new StepFailure(`The server could not replay the WAL: ${logged}`, {
    cause: error,
    reason: ofMachine.test(logged) ? 'server_error' : 'error',
  })
}
