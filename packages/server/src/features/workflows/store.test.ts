import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { workflowRuns } from '../../tables/workflow-runs.ts'
import { workflows } from '../../tables/workflows.ts'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { rowsRead } from '../../testing/rows-read.ts'
import { findRun, listRuns, listWorkflows } from './store.ts'

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

test('a workflow has the status of its last run, whatever older ones do', async () => {
  const { id: organizationId } = await given.organization()
  const workflow = await given.workflow({ organizationId, name: 'has run' })
  await given.workflow({ organizationId, name: 'never ran' })
  const older = await given.run({ organizationId, workflowId: workflow.id, status: 'running' })
  const last = await given.run({ organizationId, workflowId: workflow.id, status: 'completed' })
  const page = { page: 1, limit: 50, sort: 'name' as const }
  await database.withTenant(organizationId, async (db) => {
    await db.update(workflows).set({ lastRunId: last.id }).where(eq(workflows.id, workflow.id))
    await db.update(workflowRuns).set({ status: 'failed' }).where(eq(workflowRuns.id, older.id))
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
