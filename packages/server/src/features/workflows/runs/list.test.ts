import { expect, test } from 'vitest'
import { testDatabase } from '../../../testing/database.ts'
import { createGiven } from '../../../testing/given.ts'
import { rowsRead } from '../../../testing/rows-read.ts'
import { countByStatus, listRuns, type RunSelection } from './list.ts'

const database = await testDatabase()
const given = createGiven(database)
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))

async function organizationWithRuns() {
  const workflow = await given.workflow({ name: 'Nightly clean-up' })
  const other = await given.workflow({ organizationId: workflow.organizationId, name: 'Deploy' })
  const { organizationId } = workflow
  const of = { organizationId, workflowId: workflow.id }
  const oldest = await given.run({ ...of, status: 'completed', queuedAt: at(0), trigger: 'schedule' })
  const failed = await given.run({
    ...of,
    status: 'failed',
    queuedAt: at(1),
    error: { message: 'Disk of orders-pg is full' },
  })
  const waiting = await given.run({ ...of, workflowId: other.id, status: 'waiting', queuedAt: at(2) })
  const newest = await given.run({ ...of, status: 'completed', queuedAt: at(3) })
  return { organizationId, workflow, other, oldest, failed, waiting, newest }
}

test('a selection of runs is by status, workflow, trigger, time and text, each and together', async () => {
  const { organizationId, workflow, oldest, failed, waiting, newest } = await organizationWithRuns()
  await database.withTenant(organizationId, async (db) => {
    const ids = async (selection: RunSelection) => {
      const page = { page: 1, limit: 50, sort: 'queuedAt' as const }
      const { rows, total } = await listRuns(db, organizationId, { ...selection, ...page })
      expect(total).toBe(rows.length)
      return rows.map(({ id }) => id)
    }
    expect(await ids({})).toEqual([newest.id, waiting.id, failed.id, oldest.id])
    expect(await ids({ status: ['failed', 'completed'] })).toEqual([newest.id, failed.id, oldest.id])
    expect(await ids({ status: [], workflowId: workflow.id })).toEqual([])
    expect(await ids({ isOver: 'false' })).toEqual([waiting.id])
    expect(await ids({ isOver: 'false', status: ['completed'] })).toEqual([])
    expect(await ids({ trigger: 'schedule' })).toEqual([oldest.id])
    expect(await ids({ search: 'disk of' })).toEqual([failed.id])
    expect(await ids({ search: 'deploy' })).toEqual([waiting.id])
    expect(await ids({ search: newest.id.slice(0, 35) })).toEqual([newest.id])
    expect(await ids({ since: at(1).toISOString(), until: at(2).toISOString() })).toEqual([
      waiting.id,
      failed.id,
    ])
    expect(await ids({ workflowId: workflow.id, status: ['completed'], since: at(1).toISOString() })).toEqual(
      [newest.id],
    )
  })
})

test('pages by status or time follow each other without a gap, in both directions', async () => {
  const { organizationId, oldest, failed, waiting, newest } = await organizationWithRuns()
  await database.withTenant(organizationId, async (db) => {
    const paged = async (
      sort: 'queuedAt' | 'status',
      order: 'asc' | 'desc',
      selection: RunSelection = {},
    ) => {
      const found: string[] = []
      for (const page of [1, 2, 3, 4]) {
        const { rows } = await listRuns(db, organizationId, { ...selection, page, limit: 1, sort, order })
        found.push(...rows.map(({ id }) => id))
      }
      return found
    }
    expect(await paged('queuedAt', 'asc')).toEqual([oldest.id, failed.id, waiting.id, newest.id])
    expect(await paged('status', 'asc')).toEqual([newest.id, oldest.id, failed.id, waiting.id])
    expect(await paged('status', 'desc')).toEqual([waiting.id, failed.id, newest.id, oldest.id])
    const some: RunSelection = { status: ['completed', 'failed'] }
    expect(await paged('queuedAt', 'desc', some)).toEqual([newest.id, failed.id, oldest.id])
  })
})

test('runs are counted by status within a selection, whatever statuses are shown', async () => {
  const { organizationId, workflow } = await organizationWithRuns()
  await database.withTenant(organizationId, async (db) => {
    expect(await countByStatus(db, organizationId, {})).toEqual({ completed: 2, failed: 1, waiting: 1 })
    expect(await countByStatus(db, organizationId, { workflowId: workflow.id, trigger: 'manual' })).toEqual({
      completed: 1,
      failed: 1,
    })
    expect(await countByStatus(db, organizationId, { isOver: 'false' })).toEqual({ waiting: 1 })
  })
})

test('a page of a rare status is found without reading the others', async () => {
  const workflow = await given.workflow()
  const { organizationId } = workflow
  const rare = await given.run({ organizationId, workflowId: workflow.id, status: 'failed', queuedAt: at(0) })
  await given.runCrowd(workflow, 3_000)
  await database.withTenant(organizationId, async (db) => {
    const read = await rowsRead(db, 'workflow_runs', async () => {
      const filter = {
        status: ['failed', 'cancelled'] as const,
        page: 1,
        limit: 50,
        sort: 'queuedAt' as const,
      }
      const { rows } = await listRuns(db, organizationId, filter)
      expect(rows.map(({ id }) => id)).toEqual([rare.id])
    })
    expect(read).toBeLessThan(20)
  })
})
