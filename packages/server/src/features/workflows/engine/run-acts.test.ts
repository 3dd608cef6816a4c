import type { EndpointName } from '@bey/contract'
import { afterAll, expect, test } from 'vitest'

import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { GivenUser } from '../../../testing/given.ts'
import { toyEngine } from '../testing/toy-engine.ts'

const toy = await toyEngine()
const { ownActs, executed, startOwn, startAgain, reached, ended, engine, workflows, database, given } = toy
afterAll(() => engine.stop())

const act = (key: string, more: object = {}) => ({ key, name: key, type: 'act', ...more })
const timesOf = (runId: string, key: string) => executed.filter((each) => each === `${runId}:${key}`).length
const approve = { key: 'ask', name: 'Ask', type: 'approval', config: { question: 'Deploy?' } }

type Started = Awaited<ReturnType<typeof startOwn>>

/** Calls a handler as a person of the organization of a run. */
async function call(
  name: keyof typeof workflows.actions & EndpointName,
  user: GivenUser,
  params: object,
  body: object = {},
) {
  // Handlers take a whole request; these look at the caller, the path and the body alone.
  const handler = workflows.actions[name] as unknown as (request: object) => Promise<Record<string, unknown>>
  const caller = { user, role: user.role, organizationId: user.organizationId, via: 'session' }
  return handler({ caller, params, body })
}

const idsOf = ({ workflowId, runId }: Started) => ({ id: workflowId, runId })

async function pendingApproval(run: Started, user: GivenUser) {
  await reached(run, (detail) => detail.run.status === 'waiting')
  const list = await workflows.approvals(
    run.organizationId,
    { userId: user.id, role: user.role },
    { page: 1, limit: 10, runId: run.runId },
  )
  const [approval] = list.approvals
  if (approval === undefined) throw new Error('Nobody is asked')
  return approval
}

test('an approval waits without a place until enough others have approved, and says who did', async () => {
  const ada = await given.user()
  const grace = await given.user({ organizationId: ada.organizationId, role: 'ADMIN', name: 'Grace' })
  const linus = await given.user({ organizationId: ada.organizationId, role: 'MEMBER' })
  const asked = { ...approve, config: { question: 'Deploy {{ inputs.app }}?' } }
  const run = await startOwn(
    { steps: [asked, act('deploy')], outputs: { by: '{{ steps.ask.output.decisions[0].by }}' } },
    { app: 'shop' },
    { user: ada },
  )
  const approval = await pendingApproval(run, grace)
  expect(approval).toMatchObject({ question: 'Deploy shop?', deniedReason: null })
  const decide = (user: GivenUser, decision: string) =>
    call('workflows.decide', user, { approvalId: approval.id }, { decision, comment: '' })
  await expect(decide(ada, 'approve')).rejects.toThrow('You started this run')
  await expect(decide(linus, 'approve')).rejects.toThrow('You may not decide')
  await decide(grace, 'approve')
  const detail = await ended(run)
  expect(detail.run).toMatchObject({ status: 'completed', output: { by: 'Grace' } })
  await expect(decide(grace, 'reject')).rejects.toThrow('Grace approved it already')
})

test('a rejection fails its step, and so does time that runs out, unless it approves', async () => {
  const ada = await given.user()
  const grace = await given.user({ organizationId: ada.organizationId, role: 'ADMIN', name: 'Grace' })
  const rejected = await startOwn({ steps: [approve] }, {}, { user: ada })
  const approval = await pendingApproval(rejected, grace)
  await call(
    'workflows.decide',
    grace,
    { approvalId: approval.id },
    { decision: 'reject', comment: 'Too late' },
  )
  expect((await ended(rejected)).run.error?.message).toBe('Grace rejected it: Too late')
  const timed = (on_timeout: string) => ({
    ...approve,
    config: { question: '?', timeout_ms: 30, on_timeout },
  })
  const [reject, fail, passed] = await Promise.all(
    ['reject', 'fail', 'approve'].map(async (how) =>
      ended(await startOwn({ steps: [timed(how)] }, {}, { user: ada })),
    ),
  )
  expect([reject, fail, passed].map((each) => each?.run.status)).toEqual(['failed', 'failed', 'completed'])
  expect(fail?.steps[0]?.status).toBe('timed_out')
})

test('a paused run ends what is under way and begins nothing more until it is resumed', async () => {
  const release = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  ownActs.set('pause:one', async () => {
    entered.resolve()
    await release.promise
    return {}
  })
  const run = await startOwn({ steps: [act('one'), act('two')] }, { act: 'pause' })
  await entered.promise
  await call('workflows.pause', run.user, idsOf(run))
  release.resolve()
  const paused = await reached(run, (detail) => detail.steps[0]?.status === 'succeeded')
  expect(paused.run.status).toBe('paused')
  expect(timesOf(run.runId, 'two')).toBe(0)
  await call('workflows.resume', run.user, idsOf(run))
  expect((await ended(run)).run.status).toBe('completed')
})

test('a retry is a new run that repeats what failed and what depends on it, and nothing else', async () => {
  let isMended = false
  ownActs.set('retry:bad', async () => {
    if (!isMended) throw new StepFailure('Broken')
    return { fine: true }
  })
  const steps = [
    act('a', { needs: [] }),
    act('bad', { needs: ['a'] }),
    act('b', { needs: ['a'] }),
    act('end', { needs: ['bad', 'b'] }),
  ]
  const first = await startOwn({ steps }, { act: 'retry' })
  expect((await ended(first)).run.status).toBe('failed')
  isMended = true
  const retried = await call('workflows.retry', first.user, idsOf(first), {
    mode: 'from_failed',
    version: 'pinned',
  })
  const second = { ...first, runId: (retried['run'] as { id: string }).id }
  const detail = await ended(second)
  expect(detail.run).toMatchObject({ status: 'completed', retryOf: first.runId })
  expect(['a', 'bad', 'b', 'end'].map((key) => timesOf(second.runId, key))).toEqual([0, 1, 0, 1])
  const again = await call('workflows.retry', first.user, idsOf(second), {
    mode: 'from_step',
    stepKey: 'b',
    version: 'latest',
  })
  const third = { ...first, runId: (again['run'] as { id: string }).id }
  await ended(third)
  expect(['a', 'bad', 'b', 'end'].map((key) => timesOf(third.runId, key))).toEqual([0, 0, 1, 1])
  await expect(
    call('workflows.retry', first.user, idsOf(third), { mode: 'from_failed', version: 'pinned' }),
  ).rejects.toThrow('No step of the run failed')
})

test('a step that ignores a cancel can be forced ten seconds later, and its run is over', async () => {
  const entered = Promise.withResolvers<void>()
  ownActs.set('deaf:one', () => {
    entered.resolve()
    return new Promise(() => undefined)
  })
  const run = await startOwn({ steps: [act('one')] }, { act: 'deaf' })
  await entered.promise
  await expect(call('workflows.forceCancel', run.user, idsOf(run))).rejects.toThrow(
    'Ask the run to stop first',
  )
  await database.withTenant(run.organizationId, (db) =>
    workflows.cancelRun(db, run.runId, { userId: run.user.id }),
  )
  await expect(call('workflows.forceCancel', run.user, idsOf(run))).rejects.toThrow(
    'It can be forced in 10 s',
  )
  await database.ownerPool.query(
    `update workflow_runs set cancel_requested_at = now() - interval '11 s' where id = $1`,
    [run.runId],
  )
  const forced = await call('workflows.forceCancel', run.user, idsOf(run))
  expect(forced['leftBehind']).toEqual(['one'])
  expect((await ended(run)).run.status).toBe('cancelled')
  await reached(run, () => engine.state().activeRuns === 0)
})

test('runs with one concurrency key go one after another, are skipped, or replace each other', async () => {
  const release = Promise.withResolvers<void>()
  ownActs.set('key:one', async (context) => {
    const cancelled = Promise.withResolvers<void>()
    context.signal.addEventListener('abort', () => cancelled.reject(new Error('cancelled')), { once: true })
    await Promise.race([release.promise, cancelled.promise])
    return {}
  })
  const start = (onLimit: 'queue' | 'skip' | 'replace') =>
    startOwn(
      { steps: [act('one')], concurrency: { key: '{{ inputs.env }}', onLimit } },
      { act: 'key', env: 'prod' },
    )
  const input = { act: 'key', env: 'prod' }
  const [queued, skipped, replaced] = await Promise.all([start('queue'), start('skip'), start('replace')])
  for (const run of [queued, skipped, replaced])
    await reached(run, (detail) => detail.run.status === 'running')
  const behind = await startAgain(queued.user, queued.workflowId, input)
  await expect(startAgain(skipped.user, skipped.workflowId, input)).rejects.toThrow('has not ended yet')
  const newer = await startAgain(replaced.user, replaced.workflowId, input)
  expect((await ended(replaced)).run.status).toBe('cancelled')
  await reached(newer, (detail) => detail.run.status === 'running')
  expect((await reached(behind, () => true)).run.status).toBe('queued')
  release.resolve()
  expect((await ended(behind)).run.status).toBe('completed')
})

test('input that does not fit is refused with the names of its fields, and an archived workflow is not started', async () => {
  const run = await startOwn({
    inputSchema: {
      type: 'object',
      properties: { count: { type: 'integer', default: 2 } },
      additionalProperties: false,
    },
    steps: [act('one')],
  })
  expect((await ended(run)).run.input).toEqual({ count: 2 })
  const execute = (input: object) => call('workflows.execute', run.user, { id: run.workflowId }, { input })
  await expect(execute({ count: 'many', other: 1 })).rejects.toMatchObject({
    code: 'invalid_request',
    errors: [{ path: 'input.other' }, { path: 'input.count' }],
  })
  await database.ownerPool.query(`update workflows set state = 'archived' where id = $1`, [run.workflowId])
  await expect(execute({})).rejects.toThrow('is archived')
})

test('many runs are cancelled by a filter, as a run of its own with a line for each', async () => {
  const ada = await given.user()
  const wait = [{ key: 'wait', name: 'Wait', type: 'wait', config: { duration_ms: 600_000 } }]
  const first = await startOwn({ steps: wait }, {}, { user: ada })
  const runs = [first, await startAgain(ada, first.workflowId), await startAgain(ada, first.workflowId)]
  for (const run of runs) await reached(run, (detail) => detail.run.status === 'waiting')
  const { workflowName } = (await reached(first, () => true)).run
  const reply = await call(
    'workflows.bulk',
    ada,
    {},
    { action: 'cancel', filter: { workflowId: first.workflowId, trigger: 'manual' } },
  )
  expect(reply['matched']).toBe(3)
  const { id, workflowId } = reply['run'] as { id: string; workflowId: string }
  const detail = await ended({ organizationId: ada.organizationId, workflowId, runId: id })
  expect(detail.logs.map(({ message }) => message)).toEqual(
    runs.map(({ runId }) => `${workflowName}: cancel requested /workflows/${first.workflowId}/runs/${runId}`),
  )
  for (const run of runs) expect((await ended(run)).run.status).toBe('cancelled')
})
