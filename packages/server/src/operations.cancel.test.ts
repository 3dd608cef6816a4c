import { expect, test } from 'vitest'

import { StepFailure } from './platform/engine/step-failure.ts'
import { gate, testOperations, whoIs } from './testing/operations.ts'

const { database, given, provider, operations, title, settled, runOf, create } = await testOperations()

test('a cancelled provisioning leaves an error that names who, and the cluster can be deleted', async () => {
  const user = await given.user({ name: 'Grace' })
  const name = title()
  const held = gate()
  provider.on(name, 'join', held.act)
  const created = await create(user, name)
  await held.entered
  const { workflowId, runId } = created.lastRun ?? { workflowId: '', runId: '' }
  const { run } = await operations.workflows.cancel(workflowId, runId, whoIs(user))
  expect(run.status).toBe('cancelling')
  const cluster = await settled(user, created.id, 'ERROR')
  expect(cluster.error).toBe('Provisioning was cancelled by Grace.')
  const detail = await runOf(user, cluster)
  expect(detail.run.status).toBe('cancelled')
  expect(detail.steps.map((step) => step.status)).toEqual([
    'succeeded',
    'succeeded',
    'cancelled',
    'cancelled',
    'cancelled',
  ])
  const twice = await operations.workflows.cancel(workflowId, runId, whoIs(user))
  expect(twice.run.status).toBe('cancelled')
  await operations.clusters.remove(user.organizationId, created.id, whoIs(user))
  await settled(user, created.id, 'DELETED')
})

test('where a cluster will be is recorded before anything is made there, and a cancel removes it', async () => {
  const user = await given.user()
  const placementOf = async (id: number) => {
    const { rows } = await database.ownerPool.query(
      'select dir from cluster_connections where cluster_id = $1',
      [id],
    )
    return rows
  }
  for (const act of ['cancel', 'delete'] as const) {
    const name = title()
    const held = gate()
    provider.on(name, 'allocate', held.act)
    const created = await create(user, name)
    await held.entered
    expect(await placementOf(created.id)).toEqual([{ dir: `/nowhere/${created.id}` }])
    const { workflowId, runId } = created.lastRun ?? { workflowId: '', runId: '' }
    if (act === 'cancel') await operations.workflows.cancel(workflowId, runId, whoIs(user))
    else await operations.clusters.remove(user.organizationId, created.id, whoIs(user))
    await settled(user, created.id, act === 'cancel' ? 'ERROR' : 'DELETED')
    expect(provider.calls.filter((call) => call.startsWith(`${name}:`)).slice(0, 2)).toEqual([
      `${name}:allocate`,
      `${name}:remove`,
    ])
    expect(await placementOf(created.id)).toEqual([])
  }
})

test('what was allocated at an earlier time survives that a new provisioning is cancelled', async () => {
  const user = await given.user()
  const name = title()
  provider.on(name, 'start', async () => {
    throw new StepFailure('The port is taken.')
  })
  const created = await create(user, name)
  await settled(user, created.id, 'ERROR')
  const held = gate()
  provider.on(name, 'allocate', held.act)
  const { workflowId, runId } = await operations.clusters.provision(
    user.organizationId,
    created.id,
    whoIs(user),
  )
  await held.entered
  await operations.workflows.cancel(workflowId, runId, whoIs(user))
  await settled(user, created.id, 'ERROR')
  expect(provider.calls).not.toContain(`${name}:remove`)
})

test('a member may cancel workflows, but not what it takes an admin to start', async () => {
  const owner = await given.user()
  const member = await given.user({ role: 'MEMBER', organizationId: owner.organizationId })
  const name = title()
  const held = gate()
  provider.on(name, 'allocate', held.act)
  const created = await create(owner, name)
  await held.entered
  const { workflowId, runId } = created.lastRun ?? { workflowId: '', runId: '' }
  await expect(operations.workflows.cancel(workflowId, runId, whoIs(member))).rejects.toMatchObject({
    code: 'forbidden',
  })
  held.release()
  await settled(owner, created.id, 'RUNNING')
})

test('a cluster whose deletion is over without having deleted it can be deleted', async () => {
  const user = await given.user()
  const { organizationId } = user
  const created = await create(user)
  await settled(user, created.id, 'RUNNING')
  // As after the loss of the end of its run.
  await database.ownerPool.query(
    `update clusters set status = 'UPDATING', pending_operations = 1 where id = $1`,
    [created.id],
  )
  const { runId } = await operations.clusters.remove(organizationId, created.id, whoIs(user))
  expect(runId).not.toBe(created.lastRun?.runId)
  await settled(user, created.id, 'DELETED')
})
