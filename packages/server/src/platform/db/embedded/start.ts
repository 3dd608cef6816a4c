import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

import { ConfigError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { foreignCluster } from './init-cluster.ts'
import type { Layout } from './layout.ts'
import { findPostmaster, type Postmaster, stopPostmaster } from './postmaster.ts'

const readyTimeoutMs = 60_000
/** A server that takes a connection and says nothing is asked again by another one. */
const connectTimeoutMs = 5_000

/** Connection string over the socket of the server. */
export function addressOf(layout: Layout, user: string, database: string): string {
  const password = encodeURIComponent(layout.password)
  return `postgresql://${user}:${password}@localhost:${layout.port}/${database}?host=${encodeURIComponent(layout.socketDir)}`
}

/** Takes over the server that runs on these files, or starts one; answers once it accepts connections. */
export async function startOrAdoptPostmaster(
  layout: Layout,
  start: () => Promise<Postmaster>,
  log: Log,
): Promise<Postmaster> {
  const found = await findPostmaster(layout)
  if (found !== undefined && (await isReady(layout, found))) {
    log.info({ process: found.pid }, 'Took over the database that was left running')
    return found
  }
  for (let attempt = 1; ; attempt += 1) {
    const started = await start()
    if (await isReady(layout, started).catch(stopped(started))) return started
    const last = await lastLogLines(layout)
    // Its postmaster was killed, and the other processes of the old server have not all noticed yet.
    if (attempt >= 20 || !/pre-existing shared memory block/.test(last)) throw explainExit(layout, last)
    await sleep(500)
  }
}

/** Stops a server of ours that is of no use, and says why it is none. */
function stopped(postmaster: Postmaster) {
  return async (error: unknown): Promise<never> => {
    await stopPostmaster(postmaster)
    throw error
  }
}

/** False when the server ended before it answered, as one does that was found while it was stopping. */
async function isReady(layout: Layout, postmaster: Postmaster): Promise<boolean> {
  const deadline = performance.now() + readyTimeoutMs
  let isGone = false
  void postmaster.gone.then(() => (isGone = true))
  for (;;) {
    const client = new pg.Client({
      connectionString: addressOf(layout, 'postgres', 'postgres'),
      connectionTimeoutMillis: connectTimeoutMs,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return true
    } catch (error) {
      if (isGone) return false
      if (error instanceof Error && 'code' in error && error.code === '28P01') {
        throw new ConfigError(
          `The file postgres.password in the data directory does not fit the database beside it. Restore it, or remove the folder ${layout.clusterDir} to begin anew.`,
          { cause: error },
        )
      }
      if (performance.now() > deadline)
        throw new Error('The embedded PostgreSQL did not answer in time', { cause: error })
      await sleep(20)
    }
  }
}

/** The end of what the server wrote to its log. */
export async function lastLogLines(layout: Layout): Promise<string> {
  const text = await readFile(layout.logFile, 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-5).join('\n')
}

function explainExit(layout: Layout, last: string): Error {
  if (/no space left on device/i.test(last)) {
    return new ConfigError(
      `The disk of ${layout.clusterDir} is full. Free some space, or set BEY_DATA_DIR to another disk.`,
    )
  }
  if (/permission denied|wrong ownership/i.test(last)) return foreignCluster(layout)
  return new Error(
    `The embedded PostgreSQL ended while starting:\n${last}\nThe whole log is ${layout.logFile}.`,
  )
}
