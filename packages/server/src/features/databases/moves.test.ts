import { type BackupTrouble, databaseMoves, databaseStatuses, healthOfDatabase } from '@bey/contract'
import { expect, test } from 'vitest'

import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { IllegalMove, walkMoves } from '../../platform/moves.ts'
import { databases, type MeasuredDatabase } from '../../tables/databases.ts'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { listDatabases } from './list.ts'
import { moveDatabase } from './store.ts'

const database = await testDatabase()
const given = createGiven(database)

test('every pair of statuses is a legal move or is refused', () => {
  for (const from of databaseStatuses) {
    for (const to of databaseStatuses) {
      const move = () => walkMoves('database', databaseMoves, from, [to])
      if (databaseMoves[from].includes(to)) expect(move()).toBe(to)
      else expect(move, `${from} ${to}`).toThrow(IllegalMove)
    }
  }
  expect(databaseMoves.deleted).toEqual([])
})

async function databaseWith(values: Partial<typeof databases.$inferInsert>) {
  const { organizationId } = await given.user()
  const id = uuidv7()
  await database.withTenant(organizationId, (db) =>
    db.insert(databases).values({
      id,
      organizationId,
      name: 'orders',
      provider: 'embedded',
      status: 'available',
      databaseName: 'orders',
      username: 'orders',
      tls: 'disable',
      ...values,
    }),
  )
  return { id, organizationId }
}

test('a database that moved on is left alone, and so is one of a newer run', async () => {
  const subject = await databaseWith({ status: 'restarting', lastRunId: uuidv7() })
  const move = (from: 'restarting' | 'resuming', runId?: string) =>
    database.withTenant(subject.organizationId, (db) =>
      moveDatabase(db, { ...subject, ...(runId && { runId }) }, [from], 'available', {}, new Date()),
    )
  expect(await move('resuming')).toBe(false)
  expect(await move('restarting', uuidv7())).toBe(false)
  expect(await move('restarting')).toBe(true)
})

const figures = (connections: number): MeasuredDatabase => ({
  at: new Date().toISOString(),
  sizeBytes: 1,
  maxConnections: 100,
  connections,
  active: 0,
  idle: 0,
  idleInTransaction: 0,
  waiting: 0,
  startedAt: new Date().toISOString(),
  cacheHit: null,
  transactionsPerSecond: null,
  rollbacksPerSecond: null,
  longestQueryMs: null,
  counters: { commits: 0, rollbacks: 0, hits: 0, reads: 0 },
})

const quota = (usedBytes: number) => ({
  usedBytes,
  limitBytes: 100,
  isOwn: true,
  isRefusing: false,
  allowedUntil: null,
  filledUntil: null,
})

const backupTrouble: BackupTrouble = {
  reason: 'DrillFailed',
  detail: 'Its last restore drill failed.',
  since: new Date().toISOString(),
}

test('the list filters by the health that its rows show, whatever status and figures', async () => {
  const cases = databaseStatuses.flatMap((status) =>
    [
      null,
      figures(10),
      figures(95),
      { ...figures(10), longestLockWaitMs: 60_000 },
      { ...figures(10), longestIdleInTransactionMs: 600_000, longestLockWaitMs: null },
      { ...figures(10), diskQuota: quota(79) },
      { ...figures(10), diskQuota: quota(80) },
      { ...figures(10), diskQuota: { ...quota(100), isRefusing: true } },
      { ...figures(10), sizeBytes: 95, sizeLimitBytes: 100 },
      { ...figures(10), longestIdleInTransactionMs: 599_999, frozenAge: 1_500_000_000 },
    ]
      .map((found) => ({ status, figures: found, backupTrouble: null as BackupTrouble | null }))
      .concat({ status, figures: figures(10), backupTrouble }),
  )
  const { organizationId } = await given.user()
  await database.withTenant(organizationId, (db) =>
    db.insert(databases).values(
      cases.map((each, index) => ({
        ...each,
        id: uuidv7(),
        organizationId,
        name: `d-${index}`,
        provider: 'embedded' as const,
        databaseName: 'orders',
        username: 'orders',
        tls: 'disable' as const,
      })),
    ),
  )
  for (const health of ['failing', 'degraded', 'unknown', 'starting', 'healthy'] as const) {
    const { rows } = await database.readTenant(organizationId, (db) =>
      listDatabases(db, organizationId, { health, sort: 'name', page: 1, limit: 200 }),
    )
    const expected = cases.flatMap((each, index) => {
      const shown = { ...each, reason: null, statusSince: new Date().toISOString() }
      return healthOfDatabase(shown).state === health ? [`d-${index}`] : []
    })
    expect(rows.map(({ name }) => name).toSorted(), health).toEqual(expected.toSorted())
  }
})
