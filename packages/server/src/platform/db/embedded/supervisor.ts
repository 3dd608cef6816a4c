import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

import type { Log } from '../../log.ts'
import { type Account, chooseAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { initCluster } from './init-cluster.ts'
import { type Layout, prepareLayout } from './layout.ts'
import { findPostmaster, type Postmaster, spawnPostmaster, stopPostmaster } from './postmaster.ts'
import { addressOf, startOrAdoptPostmaster } from './start.ts'

export type EmbeddedConfig = {
  dataDir: string
  /** False for tests: a crash of the machine may cost the data. */
  isDurable?: boolean | undefined
  /** Where the server's files go when its account cannot reach `dataDir` (root only). */
  publicDir?: string | undefined
  /** The account under which it runs. Default: derived from our own account. */
  account?: Account | undefined
  /** The longest wait before a server that died again and again is started once more. Default 5 s. */
  restartMaxMs?: number | undefined
}

export type Embedded = {
  /** Connection string of the owner of Bey's database. */
  url: string
  /** Process id of the server that runs now; changes when it had to be restarted. */
  pid(): number
  stop(): Promise<void>
}

const restartMinMs = 100
const restartMaxMs = 5_000

/**
 * Starts PostgreSQL in `dataDir` on a unix socket, or takes over the one that a crash of ours left running,
 * and starts it again whenever it dies. The caller holds the lock of the data directory.
 */
export async function startEmbedded(config: EmbeddedConfig, log: Log): Promise<Embedded> {
  const isDurable = config.isDurable ?? true
  const account = config.account ?? (await chooseAccount())
  const layout = await prepareLayout(config.dataDir, config.publicDir ?? '/var/lib/bey', account)
  const binaries = await findBinaries(account.server?.uid, layout.copyDir)
  if (await initCluster(binaries, layout, account, isDurable)) {
    log.info({ directory: layout.clusterDir }, 'Made a new database')
  }
  const start = () => spawnPostmaster(binaries.postgres, layout, account, isDurable)

  let current: Postmaster | undefined = await startOrAdoptPostmaster(layout, start, log)
  try {
    await ensureOwner(layout)
  } catch (error) {
    await stopPostmaster(current)
    throw error
  }

  let stopping = false
  const supervision = supervise()

  async function supervise(): Promise<void> {
    let waitMs = restartMinMs
    while (!stopping) {
      const startedAt = performance.now()
      await current?.gone
      if (stopping) return
      if (performance.now() - startedAt > 60_000) waitMs = restartMinMs
      log.error({ process: current?.pid, waitMs }, 'The database has stopped by itself and is started again')
      await sleep(waitMs)
      waitMs = Math.min(waitMs * 2, config.restartMaxMs ?? restartMaxMs)
      if (stopping) return
      try {
        current = (await findPostmaster(layout)) ?? (await start())
      } catch (error) {
        log.error({ err: error }, 'The database could not be started')
        current = undefined
      }
    }
  }

  return {
    url: addressOf(layout, 'bey', 'bey'),
    pid: () => current?.pid ?? 0,
    async stop() {
      stopping = true
      const known = current
      if (known !== undefined) await stopPostmaster(known)
      await supervision
      // One more if it was just being started again.
      if (current !== undefined && current !== known) await stopPostmaster(current)
    },
  }
}

/** The role and database that Bey works with: like those of a DATABASE_URL, no superuser. */
async function ensureOwner(layout: Layout): Promise<void> {
  const client = new pg.Client({ connectionString: addressOf(layout, 'postgres', 'postgres') })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ role: boolean; database: boolean }>(
      `select exists (select 1 from pg_roles where rolname = 'bey') as role,
              exists (select 1 from pg_database where datname = 'bey') as database`,
    )
    if (rows[0]?.role !== true) {
      await client.query(
        `create role bey login createrole createdb password ${pg.escapeLiteral(layout.password)}`,
      )
    }
    if (rows[0]?.database !== true) await client.query('create database bey owner bey')
  } finally {
    await client.end()
  }
}
