import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'

import { BackupStoreProblem } from '../../../platform/backups/backup-store-problem.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import { createLog } from '../../../platform/log.ts'
import { directoryStore } from '../../../providers/backup-stores/directory-store.ts'
import { encryptedStore } from '../../../providers/backup-stores/encrypted-store.ts'
import { organizationKey } from '../../../providers/backup-stores/testing/organization-key.ts'
import { auditEntries } from '../../../tables/audit-entries.ts'
import {
  databaseBackupPolicies,
  databaseBackups,
  databaseWalSegments,
} from '../../../tables/database-backups.ts'
import { databases } from '../../../tables/databases.ts'
import { testApp } from '../../../testing/app.ts'
import { temporaryDirectory } from '../../../testing/temporary-directory.ts'
import { createBackupRetention } from './backup-retention.ts'
import type { BackupStore } from './backup-store.ts'
import { createLeftovers } from './leftovers.ts'

const { database, given } = await testApp()
const log = createLog({ level: 'fatal' })
const { signal } = new AbortController()
const now = new Date('2026-11-22T12:00:00Z')
const ago = (days: number) => new Date(now.getTime() - days * 86_400_000)

/** A database with a base backup for each of these ages in days, and WAL of ten segments a day. */
async function givenBackups(
  ages: number[],
  others: { isLocked?: number; deletedAt?: Date; pitr?: boolean } = {},
) {
  const { organizationId } = await given.user()
  const machineId = uuidv7()
  const databaseId = uuidv7()
  const directory = encryptedStore(directoryStore(temporaryDirectory(), 'machine'), organizationKey())
  const state = { problem: undefined as BackupStoreProblem | undefined }
  const store: BackupStore = {
    ...directory,
    async remove(key) {
      if (state.problem) throw state.problem
      await directory.remove(key)
    },
  }
  async function* bytes() {
    yield Buffer.from('content')
  }
  const segmentOf = (age: number) => (20 - age) * 10
  await database.withTenant(organizationId, async (db) => {
    await db.insert(databases).values({
      id: databaseId,
      organizationId,
      machineId,
      name: 'orders',
      provider: 'embedded',
      status: 'available',
      databaseName: 'app',
      username: 'app',
      tls: 'disable',
      deletedAt: others.deletedAt ?? null,
    })
    await db.insert(databaseBackupPolicies).values({
      databaseId,
      organizationId,
      retentionDays: 7,
      pitr: others.pitr ?? true,
      version: 1,
    })
    for (const age of ages) {
      const storeKey = `base/${age}`
      await store.put(storeKey, bytes(), signal)
      const segment = segmentOf(age)
      await db.insert(databaseBackups).values({
        id: uuidv7(),
        organizationId,
        databaseId,
        kind: 'full',
        trigger: 'manual',
        status: 'completed',
        storeKey,
        timeline: 1,
        startSegment: segment,
        stopSegment: segment,
        consistentAt: ago(age),
        finishedAt: ago(age),
        isLocked: age === others.isLocked,
      })
    }
    for (let segment = segmentOf(Math.max(...ages)); segment <= 200; segment += 1) {
      const storeKey = `wal/${segment}`
      await store.put(storeKey, bytes(), signal)
      await db.insert(databaseWalSegments).values({
        organizationId,
        databaseId,
        name: String(segment),
        timeline: 1,
        segment,
        storeKey,
        sizeBytes: 1,
        storedBytes: 1,
        sha256: '',
        untilAt: ago(20 - segment / 10),
      })
    }
  })
  const openStore = async () => store
  const removeLeftovers = createLeftovers({ database, openStore, log })
  const retain = createBackupRetention({ database, openStore, removeLeftovers, machineId, log })
  const stored = async (prefix: string) => {
    const keys: string[] = []
    for await (const { key } of store.list(prefix)) keys.push(key.slice(prefix.length))
    return keys.toSorted((one, other) => Number(one) - Number(other))
  }
  return {
    organizationId,
    retain: () => retain(now),
    state,
    bases: () => stored('base/'),
    firstSegment: async () => (await stored('wal/'))[0],
    segments: async () => (await stored('wal/')).length,
    recorded: () =>
      database.withTenant(organizationId, (db) =>
        db.$count(databaseWalSegments, eq(databaseWalSegments.databaseId, databaseId)),
      ),
  }
}

test('what the promised window does not need is removed with its WAL, and nothing else', async () => {
  const { organizationId, retain, bases, firstSegment, segments, recorded } = await givenBackups([
    12, 10, 8, 3, 1,
  ])
  await retain()
  expect(await bases()).toEqual(['1', '3', '8'])
  expect(await firstSegment()).toBe('120')
  expect(await segments()).toBe(81)
  expect(await recorded()).toBe(81)
  const entries = await database.withTenant(organizationId, (db) =>
    db
      .select({ diff: auditEntries.diff })
      .from(auditEntries)
      .where(and(eq(auditEntries.action, 'database.backup_expire'))),
  )
  expect(entries).toHaveLength(2)
  await retain()
  expect(await bases()).toEqual(['1', '3', '8'])
})

test('the only backup stays however old it is; a locked one stays with its own WAL alone', async () => {
  const only = await givenBackups([18])
  await only.retain()
  expect(await only.bases()).toEqual(['18'])
  expect(await only.firstSegment()).toBe('20')

  const locked = await givenBackups([12, 10, 8, 1], { isLocked: 12 })
  await locked.retain()
  expect(await locked.bases()).toEqual(['1', '8', '12'])
  expect(await locked.segments()).toBe(1 + 81)
})

test('without point-in-time recovery only the WAL of the backups themselves stays', async () => {
  const { retain, bases, segments } = await givenBackups([12, 8, 3, 1], { pitr: false })
  await retain()
  expect(await bases()).toEqual(['1', '3'])
  expect(await segments()).toBe(2)
})

test('backups of a deleted database end by their age, and the WAL with the last of them', async () => {
  const { retain, bases, segments } = await givenBackups([12, 8], { deletedAt: ago(7) })
  await retain()
  expect(await bases()).toEqual([])
  expect(await segments()).toBe(0)
})

test('a store that is away keeps nothing from being removed later', async () => {
  const { retain, state, bases, segments } = await givenBackups([12, 8, 1])
  state.problem = new BackupStoreProblem('unavailable', 'The store is away.')
  await retain()
  expect(await bases()).toEqual(['1', '8', '12'])
  state.problem = undefined
  await retain()
  expect(await bases()).toEqual(['1', '8'])
  expect(await segments()).toBe(81)
})
