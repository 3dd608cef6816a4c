import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { countByStatus, countRunsByStatus, listClusters } from './store.ts'

const database = await testDatabase()
const given = createGiven(database)

test('the dashboard reads one organization by its own queries, and not by row-level security alone', async () => {
  const mine = await given.cluster({ title: 'mine', status: 'RUNNING' })
  await given.cluster({ title: 'foreign', status: 'RUNNING' })
  await given.run({ organizationId: mine.organizationId, status: 'failed' })
  await given.run({ status: 'completed' })
  // A system transaction sees the rows of everybody.
  const read = await database.asSystem('test', async (db) => ({
    statuses: await countByStatus(db, mine.organizationId),
    clusters: await listClusters(db, mine.organizationId),
    runs: await countRunsByStatus(db, mine.organizationId, new Date(0)),
  }))
  expect(read).toEqual({
    statuses: { RUNNING: 1 },
    clusters: [expect.objectContaining({ id: mine.id, title: 'mine' })],
    runs: { failed: 1 },
  })
})
