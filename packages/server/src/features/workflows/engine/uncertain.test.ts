import { afterAll, expect, test } from 'vitest'

import { toyEngine } from '../testing/toy-engine.ts'

// A process that died in the middle is recognized by rows that say it is at a run which it does not execute.

const toy = await toyEngine()
const { ownActs, executed, executorId, startOwn, reached, ended, engine, workflows, database } = toy
afterAll(() => engine.stop())

/** A run whose step was under way when its process died, and which is to end where it is `cancelling`. */
async function interrupted(asks: boolean, status: 'running' | 'cancelling' = 'running') {
  const run = await startOwn({ steps: [{ key: 'one', name: 'One', type: 'act', config: { asks } }] })
  await ended(run)
  await database.ownerPool.query(
    `update step_runs set status = 'running', finished_at = null where run_id = $1`,
    [run.runId],
  )
  await database.ownerPool.query(
    `update workflow_runs set status = $3, executor_id = $2, finished_at = null where id = $1`,
    [run.runId, executorId, status],
  )
  return run
}

function settle(run: Awaited<ReturnType<typeof interrupted>>, decision: 'happened' | 'repeat' | 'fail') {
  const { user, organizationId } = run
  const handler = workflows.actions['workflows.settleStep'] as unknown as (request: object) => Promise<object>
  return handler({
    caller: { user, role: user.role, organizationId, via: 'session' },
    params: { id: run.workflowId, runId: run.runId, stepKey: 'one' },
    body: { decision, reason: 'I looked.', ...(decision === 'happened' ? { output: { seen: true } } : {}) },
  })
}

test('a step that may have happened and must not happen twice waits for a person; any other is repeated', async () => {
  const [repeatable, ...asking] = await Promise.all([
    interrupted(false),
    interrupted(true),
    interrupted(true),
    interrupted(true),
  ])
  ownActs.set('undefined:one', async () => ({ repeated: true }))
  const before = executed.length
  for (const run of asking) {
    const detail = await reached({ ...run }, ({ run: { status } }) => status === 'needs_attention')
    expect(detail.steps[0]).toMatchObject({ status: 'uncertain', attempt: 1 })
    expect(detail.run.waiting?.kind).toBe('uncertain')
  }
  expect((await ended(repeatable)).steps[0]?.attempt).toBe(2)
  expect(executed.length).toBe(before + 1)
  const [happened, repeat, fail] = asking
  if (happened === undefined || repeat === undefined || fail === undefined) throw new Error('Three runs')
  await Promise.all([settle(happened, 'happened'), settle(repeat, 'repeat'), settle(fail, 'fail')])
  expect((await ended(happened)).run.status).toBe('completed')
  expect((await ended(fail)).run).toMatchObject({ status: 'failed' })
  expect((await ended(repeat)).steps[0]?.attempt).toBe(2)
  expect(executed.length).toBe(before + 2)
  await expect(settle(happened, 'repeat')).rejects.toThrow('completed already')
})

test('a step of a run that was cancelled before its process died is not executed again', async () => {
  const [asking, repeatable] = await Promise.all([
    interrupted(true, 'cancelling'),
    interrupted(false, 'cancelling'),
  ])
  const before = executed.length
  for (const run of [asking, repeatable]) {
    const { run: found, steps } = await ended(run)
    expect(found.status).toBe('cancelled')
    expect(steps[0]).toMatchObject({ status: 'cancelled', attempt: 1 })
  }
  expect(executed.length).toBe(before)
})
