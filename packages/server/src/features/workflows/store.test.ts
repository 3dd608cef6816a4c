import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { rowsRead } from '../../testing/rows-read.ts'
import { findRun, listRuns } from './store.ts'

const database = await testDatabase()
const given = createGiven(database)

test('runs are shown with the names of their clusters, and no other cluster is read', async () => {
  const { id: organizationId } = await given.organization()
  await given.clusterCrowd(organizationId, 3_000)
  const cluster = await given.cluster({ organizationId, title: 'north' })
  const workflow = await given.workflow({ organizationId })
  const of = { organizationId, workflowId: workflow.id }
  const run = await given.run({ ...of, subjectType: 'cluster', subjectId: String(cluster.id) })
  const other = await given.run({ ...of, subjectType: 'database', subjectId: 'not a number' })
  await given.run(of)
  await database.withTenant(organizationId, async (db) => {
    const read = await rowsRead(db, 'clusters', async () => {
      const { rows } = await listRuns(db, organizationId, { page: 1, limit: 50, sort: 'queuedAt' })
      expect(new Set(rows.map((row) => row.subjectName))).toEqual(new Set(['north', null]))
      expect(await findRun(db, organizationId, workflow.id, run.id)).toMatchObject({ subjectName: 'north' })
      expect(await findRun(db, organizationId, workflow.id, other.id)).toMatchObject({ subjectName: null })
    })
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(20)
  })
})
