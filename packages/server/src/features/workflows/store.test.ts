import { expect, test } from 'vitest'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { rowsRead } from '../../testing/rows-read.ts'
import { listRuns } from './runs/list.ts'
import { findRun, listWorkflows } from './store.ts'

const database = await testDatabase()
const given = createGiven(database)

test('runs are shown with the names of their clusters, and no other cluster is read', async () => {
  const { id: organizationId } = await given.organization()
  await given.clusterCrowd(organizationId, 3_000)
  const cluster = await given.cluster({ organizationId, title: 'north' })
  const workflow = await given.workflow({ organizationId })
  const of = { organizationId, workflowId: workflow.id }
  const run = await given.run({ ...of, subjectType: 'cluster', subjectId: String(cluster.id) })
  const other = await given.run({ ...of, subjectType: 'workflow', subjectId: uuidv7() })
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

test('a workflow is read with its last 100 runs and no others, also one that has never run', async () => {
  const { id: organizationId } = await given.organization()
  const busy = await given.workflow({ organizationId, name: 'busy' })
  await given.workflow({ organizationId, name: 'never ran' })
  await given.runCrowd(busy, 3_000)
  await database.withTenant(organizationId, async (db) => {
    const read = await rowsRead(db, 'workflow_runs', async () => {
      const { rows } = await listWorkflows(db, organizationId, { page: 1, limit: 50, sort: 'lastRunAt' })
      expect(rows.map((row) => [row.name, row.lastRunStatus])).toEqual([
        ['busy', 'completed'],
        ['never ran', null],
      ])
    })
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThan(120)
  })
})

test('a workflow has the status of its last run, whatever older ones do', async () => {
  const { id: organizationId } = await given.organization()
  const workflow = await given.workflow({ organizationId, name: 'has run' })
  await given.workflow({ organizationId, name: 'never ran' })
  const of = { organizationId, workflowId: workflow.id }
  const last = await given.run({ ...of, status: 'completed' })
  await given.run({ ...of, status: 'failed', queuedAt: new Date(last.queuedAt.getTime() - 1) })
  const page = { page: 1, limit: 50, sort: 'name' as const }
  await database.withTenant(organizationId, async (db) => {
    const { rows, total } = await listWorkflows(db, organizationId, page)
    expect(rows.map((row) => [row.name, row.lastRunStatus])).toEqual([
      ['has run', 'completed'],
      ['never ran', null],
    ])
    expect(total).toBe(2)
    for (const [status, names] of [
      ['completed', ['has run']],
      ['failed', []],
      ['idle', ['never ran']],
    ] as const) {
      const found = await listWorkflows(db, organizationId, { ...page, status })
      expect(found.rows.map((row) => row.name)).toEqual(names)
      expect(found.total).toBe(names.length)
    }
  })
})
