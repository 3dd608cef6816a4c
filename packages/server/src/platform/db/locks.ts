import { sql } from 'drizzle-orm'
import type { Pool } from 'pg'

import type { Db } from './database.ts'

/**
 * Every advisory lock of the database: what it guards, and what its key names. The number is the first half of
 * the lock, the key the second; a number never gets a second meaning, or strangers wait for each other.
 */
const lockClasses = {
  /** Migrations of the schema; no key. */
  migration: 7_239_001,
  /** A living process; the id of its executor. */
  process: 7_239_002,
  /** The engine's own schema while it is migrated; no key. */
  engineSchema: 7_239_003,
  /** What counts the clusters of an organization; the organization. */
  clusterCount: 7_239_004,
  /** Runs that begin on a cluster; the cluster. */
  clusterTurn: 7_239_005,
  /** Events of a type on their way to steps that wait for them; organization and type. */
  eventGate: 7_239_006,
  /** Steps under a concurrency key; organization, workflow and key. */
  stepConcurrency: 7_239_007,
  /** Runs under a concurrency key; workflow and key. */
  runConcurrency: 7_239_008,
  /** What counts the annotations of an organization; the organization. */
  annotationCount: 7_239_014,
  /** The deletion of expired rows; no key. */
  expiredRows: 7_239_020,
  /** Partitions of metrics being made or dropped; no key. */
  metricPartitions: 7_239_021,
  /** The removal of old audit entries of an organization; the organization. */
  auditRetention: 7_239_022,
  /** The start of drains in a cluster; the cluster. */
  drainStart: 7_239_023,
  /** A key of the server that is made once; its name. */
  serverKey: 7_239_024,
  /** Ranges of networks being claimed; the organization. */
  networkRanges: 7_239_025,
  /** Tags and views of resources being changed; the organization. */
  resourceTags: 7_239_026,
  /** What counts the alerts of an organization; the organization. */
  alertCount: 7_239_027,
  /** The sums of the usage ledger being made; no key. */
  usageSums: 7_239_028,
  /** A version of prices being saved; the organization. */
  priceVersions: 7_239_029,
  /** What counts the budgets of an organization; the organization. */
  budgetCount: 7_239_041,
  /** Numbers of statements; the organization. */
  statementNumber: 7_239_042,
  /** Savings being applied or taken back; the organization. */
  appliedSavings: 7_239_043,
  /** The visitor of the demo being made; no key. */
  demoVisitor: 7_239_044,
  /** What counts the data sources of an organization; the organization. */
  metricSourceCount: 7_239_045,
  /** A backup of Bey itself, or its drill, being made; no key. */
  instanceBackup: 7_239_046,
  /** A database being filled by a move; no key. */
  databaseMove: 7_239_047,
} as const

export type Lock = keyof typeof lockClasses

// The keys are those of the literal table.
export const locks = Object.keys(lockClasses) as Lock[]

/** How a lock is taken: `xact` until the transaction ends, else until the connection does; `try` does not wait. */
type LockMode = 'lock' | 'try_lock' | 'xact_lock' | 'xact_lock_shared' | 'try_xact_lock'

export const lockClass = (lock: Lock): number => lockClasses[lock]

/** The call that takes a lock, for SQL kept as text. `key` is an SQL expression of type int. */
export function lockCall(mode: LockMode, lock: Lock, key = '0'): string {
  const name = mode.startsWith('try_') ? `pg_try_advisory_${mode.slice(4)}` : `pg_advisory_${mode}`
  return `${name}(${lockClasses[lock]}, ${key})`
}

/** Waits for the lock and holds it until the transaction ends. Keys that are texts count by their hash. */
export async function lockUntilCommit(db: Db, lock: Lock, key: number | string = 0): Promise<void> {
  const int = typeof key === 'number' ? sql`${key}::int` : sql`hashtext(${key})`
  await db.execute(sql`select pg_advisory_xact_lock(${lockClasses[lock]}::int, ${int})`)
}

/**
 * Does some work while a connection of its own holds the lock, or answers undefined while somebody else does. The lock ends with
 * the connection, and so with a process that is killed.
 */
export async function whileLocked<T>(pool: Pool, lock: Lock, work: () => Promise<T>): Promise<T | undefined> {
  const client = await pool.connect()
  let isFree = true
  try {
    const { rows } = await client.query<{ taken: boolean }>(`select ${lockCall('try_lock', lock)} as taken`)
    if (rows[0]?.taken !== true) return undefined
    isFree = false
    try {
      return await work()
    } finally {
      await client.query(`select pg_advisory_unlock(${lockClasses[lock]}, 0)`)
      isFree = true
    }
  } finally {
    // A connection that may still hold it is closed.
    client.release(!isFree)
  }
}

/** Takes the lock until the transaction ends, or answers false while somebody else holds it. */
export async function tryLockUntilCommit(db: Db, lock: Lock): Promise<boolean> {
  const { rows } = await db.execute<{ taken: boolean }>(
    sql.raw(`select ${lockCall('try_xact_lock', lock)} as taken`),
  )
  return rows[0]?.taken === true
}
