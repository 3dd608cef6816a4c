import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'

import { testDatabase } from '../../../testing/database.ts'
import { createGiven } from '../../../testing/given.ts'
import { workflowRuns } from '../../../tables/workflow-runs.ts'
import { createRunRetention } from './retention.ts'
import { ownWorkflow } from '../testing/own-workflows.ts'

const database = await testDatabase()
const given = createGiven(database)
const now = new Date('2026-06-01T00:00:00.000Z')
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000)

test('runs go 90 days after their end, with steps and logs, but not the last of a workflow or of a cluster', async () => {
  const workflow = await given.workflow()
  const { organizationId } = workflow
  const run = (finishedAt: Date | null) =>
    given.run({
      organizationId,
      workflowId: workflow.id,
      status: finishedAt ? 'completed' : 'running',
      finishedAt,
    })
  const old = await run(hours(-91 * 24))
  const step = await given.step({ organizationId, runId: old.id })
  await given.logs(step, ['one', 'two'])
  const kept = [
    await run(hours(-91 * 24)),
    await run(hours(-89 * 24)),
    await run(null),
    await given.run({ organizationId, status: 'completed', finishedAt: hours(-91 * 24) }),
  ]
  await given.cluster({ organizationId, lastRunId: kept[0]?.id ?? null })
  await given.cluster({ organizationId, lastRunId: old.id, status: 'DELETED', deletedAt: hours(-91 * 24) })
  const forgotten: string[] = []
  await createRunRetention(database, async (ids) => void forgotten.push(...ids))(now)
  expect(forgotten).toEqual([old.id])
  const left = await database.asSystem('test', (db) =>
    db
      .select({ id: workflowRuns.id })
      .from(workflowRuns)
      .where(eq(workflowRuns.organizationId, organizationId)),
  )
  expect(left.map(({ id }) => id).toSorted()).toEqual(kept.map(({ id }) => id).toSorted())
  const { rows } = await database.ownerPool.query('select 1 from step_logs where run_id = $1', [old.id])
  expect(rows).toEqual([])
})

test('a workflow says itself how long its runs are kept', async () => {
  const user = await given.user()
  const { organizationId } = user
  const shorter = await ownWorkflow(database, user, { steps: [], retentionDays: 7 })
  const longer = await ownWorkflow(database, user, { steps: [], retentionDays: 365 })
  const run = (workflowId: string, days: number) =>
    given.run({ organizationId, workflowId, status: 'completed', finishedAt: hours(-24 * days) })
  const old = await run(shorter, 8)
  const kept = [await run(shorter, 6), await run(longer, 300), await run(longer, 300)]
  const forgotten: string[] = []
  await createRunRetention(database, async (ids) => void forgotten.push(...ids))(now)
  expect(forgotten).toContain(old.id)
  expect(kept.filter(({ id }) => forgotten.includes(id))).toEqual([])
})

test('a run that the engine could not forget stays and is found again', async () => {
  const old = await given.run({ status: 'completed', finishedAt: hours(-91 * 24) })
  await given.run({ organizationId: old.organizationId, workflowId: old.workflowId })
  const refuse = () => Promise.reject(new Error('The engine is away'))
  await expect(createRunRetention(database, refuse)(now)).rejects.toThrow('The engine is away')
  const forgotten: string[] = []
  await createRunRetention(database, async (ids) => void forgotten.push(...ids))(now)
  expect(forgotten).toEqual([old.id])
})
