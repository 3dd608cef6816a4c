import { uuidv7 } from '../platform/crypto/uuid.ts'
import type { Db } from '../platform/db/database.ts'
import { backupTargets } from '../tables/backup-targets.ts'
import { databaseAdvice } from '../tables/database-advice.ts'
import {
  databaseArchives,
  databaseBackupPolicies,
  databaseBackups,
  databaseWalSegments,
} from '../tables/database-backups.ts'
import { databaseLockMinutes } from '../tables/database-lock-minutes.ts'
import { databaseLogins } from '../tables/database-logins.ts'
import { databaseSavedQueries, databaseSqlHistory } from '../tables/database-queries.ts'
import { databaseRestores, databaseSwaps } from '../tables/database-restores.ts'
import {
  databaseInsights,
  databaseStatementPoints,
  databaseStatements,
} from '../tables/database-statements.ts'
import { databases } from '../tables/databases.ts'

/** A database of an organization, with a row in each table that belongs to one. */
export async function insertDatabaseRows(db: Db, organizationId: number, userId: number): Promise<void> {
  const databaseId = uuidv7()
  await db.insert(databases).values({
    id: databaseId,
    organizationId,
    name: 'orders',
    provider: 'external',
    status: 'unreachable',
    databaseName: 'orders',
    username: 'orders',
    tls: 'prefer',
  })
  const ofDatabase = { organizationId, databaseId }
  await db
    .insert(databaseBackups)
    .values({ ...ofDatabase, id: uuidv7(), kind: 'full', trigger: 'manual', status: 'completed' })
  await db.insert(databaseArchives).values(ofDatabase)
  await db.insert(databaseLogins).values({
    ...ofDatabase,
    id: uuidv7(),
    username: 'bey_login_one',
    mode: 'read',
    reason: 'one',
    expiresAt: new Date(),
  })
  await db.insert(databaseSqlHistory).values({
    ...ofDatabase,
    id: uuidv7(),
    userId,
    statement: 'select 1',
    mode: 'read',
    at: new Date(),
  })
  await db
    .insert(databaseSavedQueries)
    .values({ ...ofDatabase, id: uuidv7(), name: 'one', statement: 'select 1' })
  await db.insert(backupTargets).values({
    id: uuidv7(),
    organizationId,
    name: 'one',
    region: 'eu-central-1',
    bucket: 'backups',
    prefix: '',
    accessKeyId: 'one',
    secretSealed: Buffer.from(''),
  })
  await db.insert(databaseBackupPolicies).values({ ...ofDatabase, retentionDays: 7, pitr: true, version: 1 })
  await db.insert(databaseWalSegments).values({
    ...ofDatabase,
    name: '000000010000000000000001',
    storeKey: 'one',
    sizeBytes: 1,
    storedBytes: 1,
    sha256: '',
    untilAt: new Date(),
  })
  await db.insert(databaseRestores).values({ ...ofDatabase, id: uuidv7(), kind: 'restore' })
  await db.insert(databaseSwaps).values({
    ...ofDatabase,
    id: uuidv7(),
    oldDatabaseId: databaseId,
    name: 'orders',
    copyName: 'orders-copy',
  })
  const now = new Date()
  await db.insert(databaseInsights).values(ofDatabase)
  await db.insert(databaseAdvice).values({
    ...ofDatabase,
    key: 'one',
    rule: 'one',
    content: { title: '', detail: '', evidence: [], sql: null, queryIds: [] },
    firstSeenAt: now,
    lastSeenAt: now,
  })
  const counters = { calls: 1, totalMs: 1, rows: 1, ioMs: 0 }
  const ofStatement = { ...ofDatabase, queryId: 1n }
  await db
    .insert(databaseStatements)
    .values({ ...ofStatement, text: 'select 1', counters, firstSeenAt: now, lastSeenAt: now })
  await db
    .insert(databaseLockMinutes)
    .values({ databaseId, organizationId, at: now, waiting: 1, total: 2, sessions: [] })
  await db.insert(databaseStatementPoints).values({
    ...ofStatement,
    ...counters,
    step: 'minute',
    at: now,
    cpuSeconds: 0,
    ioSeconds: 0,
    lockSeconds: 0,
    otherSeconds: 0,
  })
}
