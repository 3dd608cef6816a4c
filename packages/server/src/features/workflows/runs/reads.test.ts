import { expect, test } from 'vitest'
import { publish } from '../../../platform/live/publish.ts'
import { connect } from '../../../platform/live/testing/live-server.ts'
import { testApp } from '../../../testing/app.ts'
import type { GivenUser } from '../../../testing/given.ts'
import { approvalDecisions } from '../../../tables/run-approvals.ts'
import { stepLogs } from '../../../tables/step-logs.ts'
import { stepAttempts } from '../../../tables/step-attempts.ts'

const { ask, given, database, url } = await testApp()
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))

const read = async (user: GivenUser, path: string) => {
  const { token, organizationId } = user
  return (await ask('GET', `/api/v1/workflows${path}`, { token, organizationId })).body
}

test('a step has its input and output as they were recorded, and each attempt with its process', async () => {
  const owner = await given.user()
  const { organizationId } = owner
  const run = await given.run({ organizationId, status: 'running', startedAt: at(0) })
  const step = await given.step({
    organizationId,
    runId: run.id,
    key: 'deploy[3]',
    parentKey: 'deploy',
    status: 'succeeded',
    attempt: 2,
    input: { image: 'api:2.14.0', snakeCase: 1 },
    output: { statusCode: 200 },
  })
  await database.withTenant(organizationId, (db) =>
    db.insert(stepAttempts).values(
      [
        { attempt: 1, status: 'interrupted', executorId: 'one', startedAt: at(1), finishedAt: at(4) },
        { attempt: 2, status: 'succeeded', executorId: 'two', startedAt: at(5), finishedAt: at(9) },
      ].map((row) => ({ ...row, organizationId, runId: run.id, stepRunId: step.id })),
    ),
  )
  const detail = await read(
    owner,
    `/${run.workflowId}/runs/${run.id}/steps/${encodeURIComponent('deploy[3]')}`,
  )
  expect(detail).toMatchObject({
    step: { key: 'deploy[3]', parent_key: 'deploy', attempt: 2 },
    input: { image: 'api:2.14.0', snakeCase: 1 },
    output: { statusCode: 200 },
    attempts: [
      { attempt: 1, status: 'interrupted', executor_id: 'one', finished_at: at(4).toISOString() },
      { attempt: 2, status: 'succeeded', executor_id: 'two' },
    ],
    approval: null,
  })
  const whole = await read(owner, `/${run.workflowId}/runs/${run.id}`)
  expect(
    whole.attempts.map((each: { attempt: number; step_key: string }) => [each.step_key, each.attempt]),
  ).toEqual([
    ['deploy[3]', 1],
    ['deploy[3]', 2],
  ])
  expect((await read(owner, `/${run.workflowId}/runs/${run.id}/steps/none`)).code).toBe('not_found')
})

test('iterations stand below their step in their order', async () => {
  const owner = await given.user()
  const { organizationId } = owner
  const run = await given.run({ organizationId })
  const of = { organizationId, runId: run.id }
  const iterations = [10, 2, 0].map((iteration) => ({
    key: `copy[${iteration}]`,
    iteration,
    parentKey: 'copy',
  }))
  const steps = [...iterations, { key: 'copy' }, { key: 'tell', position: 1 }]
  for (const step of steps) await given.step({ ...of, ...step })
  const detail = await read(owner, `/${run.workflowId}/runs/${run.id}`)
  const keys = detail.steps.map(({ key }: { key: string }) => key)
  expect(keys).toEqual(['copy', 'copy[0]', 'copy[2]', 'copy[10]', 'tell'])
})

test('an approval says to each reader whether they may decide, and why not', async () => {
  const asker = await given.user({ role: 'ADMIN', name: 'Grace Hopper' })
  const { organizationId } = asker
  const [admin, member, named] = [
    await given.user({ organizationId, role: 'ADMIN', name: 'Ada Lovelace' }),
    await given.user({ organizationId, role: 'MEMBER' }),
    await given.user({ organizationId, role: 'VIEWER', name: 'Joan Clarke' }),
  ]
  const { id } = await given.approval({
    organizationId,
    question: 'Deploy 2.14.0 to prod-eu-1?',
    neededCount: 2,
    requestedBy: asker.id,
    approvers: { role: 'ADMIN', userIds: [named.id], allowsRequester: false },
  })
  const seenBy = async (user: GivenUser) => (await read(user, `/approvals/${id}`)).approval
  expect(await seenBy(admin)).toMatchObject({
    question: 'Deploy 2.14.0 to prod-eu-1?',
    approvers: 'OWNER, ADMIN, Joan Clarke',
    denied_reason: null,
    requested_by: { name: 'Grace Hopper' },
  })
  expect((await seenBy(named)).denied_reason).toBeNull()
  expect((await seenBy(asker)).denied_reason).toBe('You started this run: somebody else has to decide.')
  expect((await seenBy(member)).denied_reason).toBe('You may not decide. Who may: OWNER, ADMIN, Joan Clarke.')
  const mine = async (user: GivenUser) => (await read(user, '/approvals?mine=true')).approvals.length
  expect([await mine(admin), await mine(named), await mine(asker), await mine(member)]).toEqual([1, 1, 0, 0])

  await database.withTenant(organizationId, (db) =>
    db.insert(approvalDecisions).values({
      organizationId,
      approvalId: id,
      userId: admin.id,
      decision: 'approve',
      comment: 'Watch the 503s.',
    }),
  )
  expect(await seenBy(admin)).toMatchObject({
    denied_reason: 'You approved it already.',
    decisions: [{ by: { name: 'Ada Lovelace' }, decision: 'approve', comment: 'Watch the 503s.' }],
  })
  expect([await mine(admin), await mine(named)]).toEqual([0, 1])
})

test('approvals are listed by status, those of a run whatever became of them', async () => {
  const owner = await given.user()
  const { organizationId } = owner
  const pending = await given.approval({ organizationId })
  const rejected = await given.approval({ organizationId, status: 'rejected' })
  const ids = async (query: string) =>
    (await read(owner, `/approvals${query}`)).approvals.map((each: { id: string }) => each.id)
  expect(await ids('')).toEqual([pending.id])
  expect(await ids('?status=rejected')).toEqual([rejected.id])
  expect(await ids(`?run_id=${rejected.runId}`)).toEqual([rejected.id])
})

test('statistics count each day, and give the usual time of the steps of the last runs', async () => {
  const owner = await given.user()
  const { organizationId } = owner
  const workflow = await given.workflow({ organizationId })
  const of = { organizationId, workflowId: workflow.id }
  const now = Date.now()
  for (const [status, seconds] of [
    ['completed', 10],
    ['completed', 20],
    ['failed', 1],
    ['cancelled', 1],
  ] as const) {
    const times = { startedAt: new Date(now - seconds * 1_000), finishedAt: new Date(now) }
    const run = await given.run({ ...of, status, queuedAt: new Date(now), ...times })
    const result = status === 'completed' ? 'succeeded' : 'failed'
    await given.step({ organizationId, runId: run.id, key: 'build', name: 'Build', status: result, ...times })
  }
  await given.run({ ...of, status: 'failed', queuedAt: new Date(now - 40 * 86_400_000) })
  const statistics = await read(owner, `/${workflow.id}/statistics?days=7`)
  expect(statistics).toMatchObject({ runs: 4, succeeded: 2, failed: 1, median_ms: 15_000 })
  expect(statistics.days).toHaveLength(7)
  expect(statistics.days.at(-1)).toMatchObject({ succeeded: 2, failed: 1, other: 1, median_ms: 15_000 })
  expect(statistics.steps).toEqual([
    { key: 'build', name: 'Build', runs: 4, failed: 2, median_ms: 15_000, p90_ms: 19_000 },
  ])
})

test('lines of a log are read by step, least level and text, from the end and on from a cursor', async () => {
  const owner = await given.user()
  const { organizationId } = owner
  const run = await given.run({ organizationId })
  const [build, deploy] = [
    await given.step({ organizationId, runId: run.id, key: 'build' }),
    await given.step({ organizationId, runId: run.id, key: 'deploy' }),
  ]
  const line = { organizationId, runId: run.id }
  await database.withTenant(organizationId, (db) =>
    db.insert(stepLogs).values([
      { ...line, stepRunId: build.id, seq: 1, level: 'info', message: 'Image api:2.14 pulled' },
      { ...line, stepRunId: deploy.id, seq: 2, level: 'warning', message: 'Disk is 91 % busy' },
      { ...line, stepRunId: deploy.id, seq: 3, level: 'error', message: 'Disk is full' },
      { ...line, stepRunId: build.id, seq: 4, level: 'fatal', message: 'Image lost' },
    ]),
  )
  const seqs = async (query: string) => {
    const reply = await read(owner, `/${run.workflowId}/runs/${run.id}/logs?${query}`)
    return reply.logs.map((each: { seq: number }) => each.seq)
  }
  expect(await seqs('step_key=deploy')).toEqual([2, 3])
  expect(await seqs('level=warning')).toEqual([2, 3, 4])
  expect(await seqs('level=error&step_key=build')).toEqual([4])
  expect(await seqs('search=IMAGE')).toEqual([1, 4])
  expect(await seqs('search=disk&before=3')).toEqual([2])
  expect(await seqs('level=debug&after=2')).toEqual([3, 4])
})

test('the event of a run carries its row as lists show it, unless the row is large', async () => {
  const owner = await given.user()
  const { organizationId } = owner
  const [small, large] = [
    await given.run({ organizationId, status: 'running', input: { clusterId: 4 } }),
    await given.run({ organizationId, status: 'running', input: { text: 'x'.repeat(6_000) } }),
  ]
  const socket = await connect(`${url.replace('http', 'ws')}/ws`, owner)
  await database.withTenant(organizationId, async (db) => {
    for (const { id: runId, workflowId } of [small, large]) {
      const data = { workflowId, runId, status: 'queued', subject: null, progress: 0 } as const
      await publish(db, { organizationId, type: 'WORKFLOW_RUN_UPDATE', data })
    }
  })
  await socket.until(() => (socket.events('WORKFLOW_RUN_UPDATE').length === 2 ? true : undefined))
  const [withRow, withoutRow] = socket.events('WORKFLOW_RUN_UPDATE').map(({ data }) => data)
  const [row] = (await read(owner, `/runs?workflow_id=${small.workflowId}`)).runs
  expect(withRow).toMatchObject({
    runId: small.id,
    run: {
      id: row.id,
      workflowName: row.workflow_name,
      status: 'running',
      input: { clusterId: 4 },
      queuedAt: row.queued_at,
      createdBy: row.created_by,
    },
  })
  expect(withoutRow).toEqual(expect.not.objectContaining({ run: expect.anything() }))
})
