import { existsSync } from 'node:fs'
import { join } from 'node:path'

import pg from 'pg'

import type { RootKey } from '../../platform/crypto/root-key.ts'
import { startEmbedded } from '../../platform/db/embedded/supervisor.ts'
import { knownMigrations, migrate } from '../../platform/db/migrate.ts'
import { markMovedAway } from '../../platform/db/moved-away.ts'
import { describeUrl, ensureAppRole } from '../../platform/db/roles.ts'
import { migrateEngineSchema } from '../../platform/engine/engine-schema.ts'
import { ConfigError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { claimDataDirectory } from '../../platform/process.ts'
import { describeDatabase } from '../backup/describe-database.ts'
import { findRunningCluster } from '../backup/running-cluster.ts'
import { type Verification, verifyDatabase } from '../backup/verify-restored.ts'
import { claimTarget, finishTarget } from './check-target.ts'
import { fillTarget } from './fill-target.ts'

type MoveDatabase = {
  dataDir: string
  /** Connection string of the owner of an empty database. */
  to: string
  rootKey: RootKey
  signal: AbortSignal
  log: Log
}

/**
 * Copies the embedded database of a data directory, on which no server runs, into another one, and compares every row and opens
 * every secret there. The embedded one is only read. Until all of it is proved the other is marked, and no server starts with it;
 * from then on none starts with the embedded one.
 * Throws ConfigError for a database that cannot be moved into, and while a server runs.
 */
export async function moveDatabase(options: MoveDatabase): Promise<Verification> {
  const { dataDir, log, signal } = options
  if (!existsSync(join(dataDir, 'postgres'))) throw neverUsed(dataDir)
  const claimed = await claimDataDirectory(dataDir, 'bey move-database')
  try {
    const embedded = await startEmbedded({ dataDir }, log)
    try {
      const cluster = await findRunningCluster(dataDir)
      if (cluster === undefined) throw new Error('The embedded database does not run')
      const connection = { ...cluster.connection, database: 'bey' }
      await requireUsed(connection, options)
      const source = new pg.Client({ ...connection, application_name: 'bey-move' })
      source.on('error', () => undefined)
      await source.connect()
      return await whileConnected(source, signal, () => moveFrom(source, options))
    } finally {
      await embedded.stop()
    }
  } finally {
    await claimed.release()
  }
}

async function moveFrom(source: pg.Client, options: MoveDatabase): Promise<Verification> {
  const { dataDir, to, rootKey, log, signal } = options
  const target = await claimTarget(to, source)
  return whileConnected(target, signal, async () => {
    await ensureAppRole(to)
    await migrate(to, log, true)
    await migrateEngineSchema(to, log)
    const counts = await fillTarget(source, target)
    const rows = Object.fromEntries(
      Object.entries(counts).map(([name, count]) => [name, [count, count] as [number, number]]),
    )
    const verification = await verifyDatabase(
      to,
      { connectionString: to },
      { dataDir, manifest: { rows, dataDir }, rootKey, log, isMove: true },
    )
    if (verification.problems.length === 0) {
      await finishTarget(target)
      await markMovedAway(dataDir, describeUrl(to))
    }
    return verification
  })
}

/** Throws ConfigError for a database of another version, of another root key, and for one that no server has started with. */
async function requireUsed(connection: pg.ClientConfig, { dataDir, rootKey }: MoveDatabase): Promise<void> {
  const { migrations, fingerprint } = await describeDatabase(connection).catch((error: unknown) => {
    // No such table.
    if (error instanceof Error && 'code' in error && error.code === '42P01') throw neverUsed(dataDir)
    throw error
  })
  if (fingerprint === undefined) throw neverUsed(dataDir)
  if (fingerprint !== rootKey.fingerprint) {
    throw new ConfigError(
      `The root key ${rootKey.fingerprint} does not belong to the embedded database, which needs ${fingerprint}. Set BEY_SECRET_KEY to that key.`,
    )
  }
  const known = await knownMigrations()
  if (migrations.at(-1) === known.at(-1)) return
  throw new ConfigError(
    'The embedded database was last used by another version of Bey. Start this version on it once, stop it, and run the command again.',
  )
}

function neverUsed(dataDir: string): ConfigError {
  return new ConfigError(
    `The embedded database in ${dataDir} has no data of Bey: no server has started with it. Start Bey with DATABASE_URL; there is nothing to move.`,
  )
}

/** Ends the connection afterwards, and breaks it off when the command is interrupted: the transaction is then undone. */
async function whileConnected<T>(client: pg.Client, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const breakOff = () => void client.end().catch(() => undefined)
  try {
    signal.throwIfAborted()
    signal.addEventListener('abort', breakOff, { once: true })
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', breakOff)
    await client.end().catch(() => undefined)
  }
}
