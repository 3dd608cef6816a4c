import { expect, test } from 'vitest'

import { verifyAudit } from './platform/audit/verify.ts'
import { createRunRetention } from './features/workflows/runs/retention.ts'
import { StepFailure } from './platform/engine/step-failure.ts'
import { lockWait } from './testing/lock-wait.ts'
import { gate, testOperations, whoIs } from './testing/operations.ts'

const { database, given, provider, published, operations, title, until, settled, runOf, create } =
  await testOperations()

test('a created cluster is provisioned step by step and then runs', async () => {
  const user = await given.user()
  const created = await create(user)
  expect(created).toMatchObject({ status: 'PENDING', pending_operations: 1, region: 'local', version: 'v1' })
  const cluster = await settled(user, created.id, 'RUNNING')
  expect(cluster).toMatchObject({ pending_operations: 0, error: null, reachability: { state: 'reachable' } })
  const { run, steps, logs } = await runOf(user, cluster)
  expect(run).toMatchObject({
    status: 'completed',
    progressPercent: 100,
    subject: { id: String(cluster.id), name: cluster.title },
  })
  expect(steps.map((step) => `${step.name}: ${step.status}`)).toEqual([
    'Allocate machines: succeeded',
    'Start control plane: succeeded',
    'Join nodes: succeeded',
    'Install add-ons: succeeded',
    'Verify: succeeded',
  ])
  expect(logs.map((line) => line.seq)).toEqual([1, 2, 3, 4, 5])
  expect(await operations.clusters.connect(user.organizationId, cluster.id)).toMatchObject({
    token: `token-of-${cluster.id}`,
    impersonate: true,
  })
  const mine = published.filter((event) => event.organizationId === user.organizationId)
  const provisioning = mine.filter((event) => event.type === 'CLUSTER_PROVISIONING_UPDATE')
  expect(provisioning.map((event) => event.data['status'])).toEqual([
    ...Array(5).fill('PROVISIONING'),
    'COMPLETED',
  ])
  expect(provisioning.map((event) => event.data['progress'])).toEqual([0, 20, 40, 60, 80, 100])
  expect(mine.filter((event) => event.type === 'CLUSTERS_UPDATE').length).toBeGreaterThanOrEqual(3)
  const audit = await database.asSystem('test', (db) => verifyAudit(db, user.organizationId))
  expect(audit).toEqual({ isIntact: true, entries: 2 })
})

test('a failing step says why, leaves the cluster in error, and provisioning again succeeds', async () => {
  const user = await given.user()
  const name = title()
  provider.on(name, 'start', async () => {
    throw new StepFailure('The port 25001 is taken by another process.')
  })
  const created = await create(user, name)
  const broken = await settled(user, created.id, 'ERROR')
  const error = 'Provisioning failed at "Start control plane": The port 25001 is taken by another process.'
  expect(broken).toMatchObject({ error, pending_operations: 1 })
  const { run, steps } = await runOf(user, broken)
  expect(run.error).toEqual({
    message: 'The port 25001 is taken by another process.',
    stepKey: 'start_control_plane',
  })
  expect(steps.map((step) => step.status)).toEqual(['succeeded', 'failed', 'skipped', 'skipped', 'skipped'])
  expect(published).toContainEqual(
    expect.objectContaining({
      type: 'CLUSTER_PROVISIONING_UPDATE',
      data: expect.objectContaining({ status: 'FAILED', error }),
    }),
  )
  provider.on(name, 'start', async () => undefined)
  const again = await operations.clusters.provision(user.organizationId, created.id, whoIs(user))
  expect(again.runId).not.toBe(run.id)
  expect(await settled(user, created.id, 'RUNNING')).toMatchObject({ error: null, pending_operations: 0 })
})

test('a run that ended long ago is deleted with what the engine recorded of it, the last of each workflow is not', async () => {
  const user = await given.user()
  const [gone, there] = [await create(user), await create(user)]
  const provisioned = await runOf(user, await settled(user, gone.id, 'RUNNING'))
  await settled(user, there.id, 'RUNNING')
  const deletion = await operations.clusters.remove(user.organizationId, gone.id, whoIs(user))
  await settled(user, gone.id, 'DELETED')
  const recorded = async () => {
    const { rows } = await database.ownerPool.query<{ id: string; is_over: boolean }>(
      `select workflow_uuid as id, status = 'SUCCESS' as is_over from dbos.workflow_status
       where workflow_uuid in (select id::text from workflow_runs where organization_id = $1) or workflow_uuid = $2`,
      [user.organizationId, provisioned.run.id],
    )
    return rows
  }
  // The engine notes the end of a run a moment after the run itself does.
  await until(recorded, (rows) => rows.length === 3 && rows.every((row) => row.is_over))
  const inNinetyDays = new Date(Date.now() + 90 * 86_400_000 + 60_000)
  await createRunRetention(database, operations.engine().forget)(inNinetyDays)
  expect((await recorded()).map((row) => row.id).toSorted()).toEqual(
    [deletion.runId, (await runOf(user, there)).run.id].toSorted(),
  )
  const { rows } = await database.ownerPool.query('select 1 from workflow_runs where id = $1', [
    provisioned.run.id,
  ])
  expect(rows).toEqual([])
})

test('provisioning asked for while it is under way answers the same run, however many ask', async () => {
  const user = await given.user()
  const name = title()
  const held = gate()
  provider.on(name, 'join', held.act)
  const created = await create(user, name)
  await held.entered
  const answers = await Promise.all(
    Array.from({ length: 5 }, () =>
      operations.clusters.provision(user.organizationId, created.id, whoIs(user)),
    ),
  )
  expect(new Set(answers.map((answer) => answer.runId))).toEqual(new Set([created.lastRun?.runId]))
  held.release()
  await settled(user, created.id, 'RUNNING')
  await expect(
    operations.clusters.provision(user.organizationId, created.id, whoIs(user)),
  ).rejects.toMatchObject({
    code: 'conflict',
  })
})

test('of two who provision a failed cluster at once, both get the one run', async () => {
  const user = await given.user()
  const cluster = await given.cluster({
    organizationId: user.organizationId,
    title: title(),
    status: 'ERROR',
  })
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      operations.clusters.provision(user.organizationId, cluster.id, whoIs(user)),
    ),
  )
  expect(new Set(answers.map((answer) => answer.runId)).size).toBe(1)
  await settled(user, cluster.id, 'RUNNING')
  expect(provider.calls.filter((call) => call === `${cluster.title}:allocate`)).toHaveLength(1)
})

test('deleting a cluster that is being provisioned ends that run first, and then it is gone', async () => {
  const user = await given.user()
  const name = title()
  const held = gate()
  provider.on(name, 'addons', held.act)
  const created = await create(user, name)
  await held.entered
  const deletion = await operations.clusters.remove(user.organizationId, created.id, whoIs(user))
  expect(await operations.clusters.get(user.organizationId, created.id)).toMatchObject({
    status: 'UPDATING',
    pending_operations: 1,
  })
  const twice = await operations.clusters.remove(user.organizationId, created.id, whoIs(user))
  expect(twice.runId).toBe(deletion.runId)
  await settled(user, created.id, 'DELETED')
  const before = await operations.workflows.run(
    user.organizationId,
    created.lastRun?.workflowId ?? '',
    created.lastRun?.runId ?? '',
  )
  expect(before.run.status).toBe('cancelled')
  const calls = provider.calls.filter((call) => call.startsWith(`${name}:`))
  expect(calls).toEqual(
    ['allocate', 'start', 'join', 'addons', 'stop', 'remove'].map((call) => `${name}:${call}`),
  )
  const statuses = published
    .filter((event) => event.type === 'CLUSTER_PROVISIONING_UPDATE' && event.data['clusterId'] === created.id)
    .map((event) => event.data['status'])
  expect(statuses.slice(statuses.indexOf('UPDATING'))).toEqual([
    'UPDATING',
    'UPDATING',
    'UPDATING',
    'DELETED',
  ])
  expect(
    (await operations.clusters.list(user.organizationId, { page: 1, limit: 50, sort: 'createdAt' })).clusters,
  ).toEqual([])
  await expect(
    operations.clusters.remove(user.organizationId, created.id, whoIs(user)),
  ).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('to delete a cluster whose run is being moved waits for the run before it holds the cluster', async () => {
  const user = await given.user()
  const name = title()
  const held = gate()
  provider.on(name, 'allocate', held.act)
  const created = await create(user, name)
  await held.entered
  const moving = await database.ownerPool.connect()
  try {
    // As the engine does at the end of a run: first the run, then its cluster.
    await moving.query('begin')
    await moving.query('select 1 from workflow_runs where id = $1 for update', [created.lastRun?.runId])
    const deletion = operations.clusters.remove(user.organizationId, created.id, whoIs(user))
    await lockWait(database)
    await moving.query('select 1 from clusters where id = $1 for update nowait', [created.id])
    await moving.query('commit')
    expect(await deletion).toMatchObject({ clusterId: created.id, status: 'queued' })
  } finally {
    await moving.query('rollback')
    moving.release()
  }
  await settled(user, created.id, 'DELETED')
})

test('that the database would not note where a cluster runs is not reported as a fault of the cluster', async () => {
  const user = await given.user()
  const created = await create(user)
  await settled(user, created.id, 'RUNNING')
  // A sequence counts what is rolled back as well.
  await database.ownerPool.query(
    `create sequence refusals;
     create function refuse_place() returns trigger language plpgsql as
       $$ begin perform nextval('refusals'); raise 'no such place'; end $$;
     grant usage on sequence refusals to public;
     update cluster_connections set pid = 2 where cluster_id = ${created.id};
     create trigger refuse_place before update on cluster_connections
     for each row when (old.cluster_id = ${created.id}) execute function refuse_place()`,
  )
  provider.exit(created.id, 'Its process 1 ended.')
  const refusals = () =>
    database.ownerPool.query<{ count: string }>('select last_value as count from refusals')
  await until(refusals, ({ rows }) => Number(rows[0]?.count) >= 2)
  const get = () => operations.clusters.get(user.organizationId, created.id)
  expect((await get()).reachability).toMatchObject({ state: 'unreachable', reason: 'Its process 1 ended.' })
  await database.ownerPool.query('drop trigger refuse_place on cluster_connections')
  await until(get, (cluster) => cluster.reachability.state === 'reachable')
})

test('a failed provisioning is resumed at the failed step, and what succeeded is not done again', async () => {
  const user = await given.user()
  const name = title()
  let isBroken = true
  provider.on(name, 'addons', async () => {
    if (isBroken) throw new StepFailure('The registry does not answer.')
  })
  const created = await create(user, name)
  await settled(user, created.id, 'ERROR')
  isBroken = false
  const first = await runOf(user, created)
  const resumed = await operations.clusters.provision(
    user.organizationId,
    created.id,
    whoIs(user),
    'from_failed',
  )
  await settled(user, created.id, 'RUNNING')
  const called = provider.calls.filter((call) => call.startsWith(`${name}:`))
  expect(called.map((call) => call.split(':')[1])).toEqual([
    'allocate',
    'start',
    'join',
    'addons',
    'addons',
    'verify',
  ])
  const run = await operations.workflows.run(user.organizationId, resumed.workflowId, resumed.runId)
  expect(run.steps.map(({ status }) => status)).toEqual(Array(5).fill('succeeded'))
  expect(run.run).toMatchObject({ status: 'completed', input: { resumedFrom: first.run.id } })
  expect(run.steps[0]?.finishedAt).toEqual(first.steps[0]?.finishedAt)
  // A cluster that runs refers to nothing that is left of the failure.
  const references = await operations.clusters.references(user.organizationId, created.id)
  expect(references).toEqual({ kubeconfigTokens: 0, kubeconfigUsers: 0, runs: [], secrets: [] })
})

test('a failed deletion is an error that can be tried again', async () => {
  const user = await given.user()
  const name = title()
  const created = await create(user, name)
  await settled(user, created.id, 'RUNNING')
  provider.on(name, 'remove', async () => {
    throw new StepFailure('the disk is read-only.')
  })
  await operations.clusters.remove(user.organizationId, created.id, whoIs(user))
  expect((await settled(user, created.id, 'ERROR')).error).toBe(
    'Deletion failed at "Remove state": the disk is read-only.',
  )
  provider.on(name, 'remove', async () => undefined)
  await operations.clusters.remove(user.organizationId, created.id, whoIs(user))
  await settled(user, created.id, 'DELETED')
})

test('a taken title is refused and the first is untouched; a deleted one gives its title back', async () => {
  const user = await given.user()
  const first = await create(user)
  await settled(user, first.id, 'RUNNING')
  await expect(create(user, first.title)).rejects.toMatchObject({ code: 'name_taken' })
  expect((await operations.clusters.get(user.organizationId, first.id)).status).toBe('RUNNING')
  await operations.clusters.remove(user.organizationId, first.id, whoIs(user))
  await settled(user, first.id, 'DELETED')
  await settled(user, (await create(user, first.title)).id, 'RUNNING')
})

test.each([
  [{ region: 'moon' }, 'invalid_request'],
  [{ version: 'v0' }, 'invalid_request'],
  [{ nodeGroups: [group('a', 1), group('a', 1)] }, 'invalid_request'],
  [{ nodeGroups: [group('a', 100), group('b', 100), group('c', 100), group('d', 1)] }, 'limit_reached'],
])('a cluster with %j is refused: %s', async (input, code) => {
  const user = await given.user()
  await expect(
    operations.clusters.create(
      user.organizationId,
      { title: title(), provider: 'sandbox', ...input },
      whoIs(user),
    ),
  ).rejects.toMatchObject({ code })
  expect(
    (await operations.clusters.list(user.organizationId, { page: 1, limit: 50, sort: 'title' })).total,
  ).toBe(0)
})

test('the 21st cluster of an organization is refused, also when many are asked for at once', async () => {
  const user = await given.user()
  for (let index = 0; index < 18; index += 1) {
    await given.cluster({ organizationId: user.organizationId, title: title(), status: 'RUNNING' })
  }
  const results = await Promise.allSettled(Array.from({ length: 4 }, () => create(user)))
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(2)
  expect(
    results.filter((result) => result.status === 'rejected').map((result) => result.reason.code),
  ).toEqual(['limit_reached', 'limit_reached'])
})

test('another organization finds neither cluster nor run', async () => {
  const user = await given.user()
  const stranger = await given.user()
  const created = await create(user)
  const { workflowId, runId } = created.lastRun ?? { workflowId: '', runId: '' }
  const other = stranger.organizationId
  await Promise.all(
    [
      () => operations.clusters.get(other, created.id),
      () => operations.clusters.status(other, created.id),
      () => operations.clusters.provision(other, created.id, whoIs(stranger)),
      () => operations.clusters.remove(other, created.id, whoIs(stranger)),
      () => operations.clusters.connect(other, created.id),
      () => operations.workflows.get(other, workflowId),
      () => operations.workflows.run(other, workflowId, runId),
      () => operations.workflows.logs(other, workflowId, runId, { limit: 10 }),
      () => operations.workflows.cancel(workflowId, runId, whoIs(stranger)),
    ].map((call) => expect(call()).rejects.toMatchObject({ code: 'not_found' })),
  )
  expect((await operations.workflows.runs(other, { page: 1, limit: 50, sort: 'queuedAt' })).runs).toEqual([])
  await settled(user, created.id, 'RUNNING')
})

test('every organization has the built-in workflows, idle until their first run', async () => {
  const user = await given.user()
  const list = () => operations.workflows.list(user.organizationId, { page: 1, limit: 50, sort: 'name' })
  const { workflows: before } = await list()
  expect(before.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Delete cluster', 'Import cluster', 'Provision cluster']),
  )
  expect(before.every(({ status, isBuiltIn }) => status === 'idle' && isBuiltIn)).toBe(true)
  const created = await create(user)
  await settled(user, created.id, 'RUNNING')
  const provision = (await list()).workflows.find(({ name }) => name === 'Provision cluster')
  expect(provision).toMatchObject({ status: 'completed', lastRunId: created.lastRun?.runId })
  const status = await operations.workflows.engineStatus(user.organizationId)
  expect(status).toMatchObject({
    engine: { status: 'running', currentActiveWorkflows: 0 },
    statistics: { totalWorkflows: before.length, workflowsByStatus: { completed: 1 }, activeWorkflows: 0 },
    queue: { depth: 0, oldestMs: 0 },
    workers: [{ isThisOne: true, activeRuns: 0 }],
    executors: {
      registered: expect.arrayContaining([
        'transform',
        'cluster.provision',
        'cluster.delete',
        'cluster.import',
        'cluster.disconnect',
      ]),
      type: 'dbos',
    },
  })
  expect(await operations.clusters.status(user.organizationId, created.id)).toMatchObject({
    status: 'RUNNING',
    runStatus: 'completed',
    progress: 100,
    currentStep: null,
  })
})

function group(name: string, count: number) {
  return { name, count, cpuCores: 1, memoryBytes: 1024 ** 3 }
}
