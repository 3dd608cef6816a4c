import { setTimeout as sleep } from 'node:timers/promises'

import type pg from 'pg'

import type { Log } from '../log.ts'
import { startEmbedded } from './embedded/supervisor.ts'
import { refuseMovedAway } from './moved-away.ts'
import { migrate } from './migrate.ts'
import { createMonitor } from './monitor.ts'
import { createPools } from './pools.ts'
import { ensureAppRole } from './roles.ts'
import { traced } from '../tracing/tracing.ts'
import { type Db, readOnce, readOnly, transaction } from './transaction.ts'
import { createWriteMonitor } from './write-monitor.ts'

export { type Db, withCommit } from './transaction.ts'

export type DatabaseConfig = {
  /** `DATABASE_URL`, the owner's; undefined starts the embedded server in `dataDir`. */
  url?: string | undefined
  dataDir: string
  /** Connections for requests (application role). Default 10. */
  maxConnections?: number | undefined
  /** Connections for the engine and system work (owner). Default 10. */
  maxOwnerConnections?: number | undefined
  /** How long a request waits for a connection before it is answered with `unavailable`. Default 5 s. */
  connectWithinMs?: number | undefined
  /** Lets a test's embedded server lose data on power loss. */
  isDurable?: boolean | undefined
  /** Opens a database that a move has not finished; for the move itself. */
  isMove?: boolean | undefined
}

export type Database = {
  /**
   * Runs `work` in a transaction that sees and writes the rows of one organization only. Commits when it
   * resolves, rolls back when it throws. Do nothing slow inside: no network, no argon2.
   */
  withTenant<T>(organizationId: number, work: (db: Db) => Promise<T>): Promise<T>
  /** The same, read only and without waiting for the commit: the cheapest way to a list or a single row. */
  readTenant<T>(organizationId: number, work: (db: Db) => Promise<T>): Promise<T>
  /** The same, where several statements have to see one moment: figures that add up, or are compared. */
  readSnapshot<T>(organizationId: number, work: (db: Db) => Promise<T>): Promise<T>
  /** The cheapest of all: for one query, or several that are issued at once. What is asked for later is refused. */
  readOnce<T>(organizationId: number, work: (db: Db) => Promise<T>): Promise<T>
  /** Rows that belong to a user rather than an organization: the user, sessions, settings, own memberships. */
  withUser<T>(userId: number, work: (db: Db) => Promise<T>): Promise<T>
  /** Works across tenants as the owner of the tables. Callers are listed in `tools/architecture.test.ts`. */
  asSystem<T>(reason: string, work: (db: Db) => Promise<T>): Promise<T>
  /** Connections of the application role, without a tenant: they see no tenant's rows. */
  pool: pg.Pool
  /** Connections of the owner: for the engine's own schema, LISTEN and session advisory locks. */
  ownerPool: pg.Pool
  /** Connection string of the owner. Holds a password: never log it. */
  url: string
  /** False from the moment that the server is found not to answer until it answers again. */
  isUp(): boolean
  /** False from the moment that a change fails for want of disk space until one goes well again. */
  canWrite(): boolean
  /** Throws AppError `unavailable` unless the server answers within `timeoutMs`. */
  ping(timeoutMs: number): Promise<void>
  /** Calls back each time the server answers again after it was lost; returns the way to stop. */
  onUp(callback: () => void): () => void
  /** Ends the connections, then stops an embedded server. */
  close(): Promise<void>
}

const endTimeoutMs = 5_000

/** The wait for a connection is part of it. Statements are not recorded, for they hold values. */
function inSpan<T>(kind: 'read' | 'write', work: () => Promise<T>): Promise<T> {
  return traced('transaction', { 'db.system.name': 'postgresql', 'bey.transaction.kind': kind }, work)
}

/**
 * Starts the embedded server or connects to `config.url`, makes the application role, migrates under an
 * advisory lock. Throws ConfigError with a sentence that says what to mend.
 */
export async function openDatabase(config: DatabaseConfig, log: Log): Promise<Database> {
  if (config.url === undefined) await refuseMovedAway(config.dataDir)
  const embedded = config.url === undefined ? await startEmbedded(config, log) : undefined
  const url = config.url ?? embedded?.url
  if (url === undefined) throw new Error('The embedded server gave no address')
  try {
    await ensureAppRole(url)
    await migrate(url, log, config.isMove)
  } catch (error) {
    await embedded?.stop()
    throw error
  }
  const { pool, ownerPool, giveUpSilent, listen } = createPools(url, config, log)
  const monitor = createMonitor(url, log, listen)
  monitor.onUp(giveUpSilent)
  const writes = createWriteMonitor(ownerPool, log)
  return {
    withTenant: (organizationId, work) =>
      inSpan('write', () => writes.watch(transaction(pool, 'organization_id', organizationId, work))),
    readTenant: (organizationId, work) =>
      inSpan('read', () => readOnly(pool, 'organization_id', organizationId, work)),
    readSnapshot: (organizationId, work) =>
      inSpan('read', () =>
        readOnly(
          pool,
          'organization_id',
          organizationId,
          work,
          'begin isolation level repeatable read read only',
        ),
      ),
    readOnce: (organizationId, work) =>
      inSpan('read', () => readOnce(pool, 'organization_id', organizationId, work)),
    withUser: (userId, work) =>
      inSpan('write', () => writes.watch(transaction(pool, 'user_id', userId, work))),
    asSystem(reason, work) {
      log.debug({ reason }, 'Working across organizations')
      return inSpan('write', () => writes.watch(transaction(ownerPool, undefined, 0, work)))
    },
    pool,
    ownerPool,
    url,
    isUp: () => monitor.isUp(),
    canWrite: () => writes.canWrite(),
    ping: (timeoutMs) => monitor.ping(timeoutMs),
    onUp: (callback) => monitor.onUp(callback),
    async close() {
      writes.stop()
      await monitor.stop()
      // Ending waits for connections that somebody still holds; the embedded server must be stopped all the same.
      const ended = Promise.all([pool.end(), ownerPool.end()]).then(() => true)
      if (!(await Promise.race([ended, sleep(endTimeoutMs, false, { ref: false })]))) {
        log.warn(
          { held: pool.totalCount + ownerPool.totalCount },
          'Connections to the database were still in use',
        )
      }
      await embedded?.stop()
    },
  }
}
