import { expect, test } from 'vitest'
import { testApp } from '../../../testing/app.ts'

const { ask, given } = await testApp()
const waiting = { prefer: 'wait=50' }

async function workflowOf(as: { token: string; organizationId: number }, name: string, code: string) {
  const steps = [{ key: 'say', name: 'Say', type: 'script', config: { code } }]
  const { body } = await ask('POST', '/api/v1/workflows', { ...as, body: { name, steps } })
  return `/api/v1/workflows/${body.workflow.id}/runs`
}

test('a cluster is answered when it runs, a run when it ended, and a deletion when it is done', async () => {
  const { token, organizationId } = await given.user({ role: 'OWNER' })
  const as = { token, organizationId }
  const headers = { ...waiting, 'idempotency-key': 'one-cluster' }
  const body = { title: 'waited', provider: 'sandbox' }
  const created = await ask('POST', '/api/kubernetes/clusters', { ...as, headers, body })
  expect([created.status, created.body.status]).toEqual([201, 'RUNNING'])
  expect(created.headers.get('preference-applied')).toBe('wait=50')
  const repeated = await ask('POST', '/api/kubernetes/clusters', { ...as, headers, body })
  expect([repeated.body.id, repeated.body.status]).toEqual([created.body.id, 'RUNNING'])

  const runs = await workflowOf(as, 'greet', "return { hello: 'world' }")
  const ran = await ask('POST', runs, { ...as, headers: waiting })
  expect([ran.status, ran.body.run.status]).toEqual([200, 'completed'])
  const broken = await workflowOf(as, 'break', "throw new Error('It broke.')")
  const failed = await ask('POST', broken, { ...as, headers: waiting })
  expect([failed.status, failed.body.run.status]).toEqual([200, 'failed'])

  const path = `/api/kubernetes/clusters/${created.body.id}`
  const deleted = await ask('DELETE', path, { ...as, headers: waiting })
  expect([deleted.status, deleted.body.status, deleted.body.message]).toEqual([
    200,
    'completed',
    expect.stringMatching(/ is completed\.$/),
  ])
})

test('without a preference, with one that is none, and at a read the reply comes at once', async () => {
  const { token, organizationId } = await given.user({ role: 'OWNER' })
  const as = { token, organizationId }
  const runs = await workflowOf(as, 'greet', 'return 1')
  for (const prefer of [undefined, 'wait=soon', 'respond-async']) {
    const reply = await ask('POST', runs, { ...as, headers: { ...(prefer && { prefer }) } })
    expect([reply.status, reply.headers.get('preference-applied')]).toEqual([202, null])
  }
  const read = await ask('GET', '/api/kubernetes/clusters', { ...as, headers: waiting })
  expect([read.status, read.headers.get('preference-applied')]).toEqual([200, null])
})

test('what goes on when the time is up is answered as it is then, with 202', async () => {
  const { token, organizationId } = await given.user({ role: 'OWNER' })
  const as = { token, organizationId }
  const steps = [{ key: 'wait', name: 'Wait', type: 'wait', config: { duration_ms: 3_600_000 } }]
  const { body } = await ask('POST', '/api/v1/workflows', { ...as, body: { name: 'slow', steps } })
  const path = `/api/v1/workflows/${body.workflow?.id}/runs`
  const reply = await ask('POST', path, { ...as, headers: { prefer: 'wait=1' } })
  expect([reply.status, reply.headers.get('preference-applied')]).toEqual([202, 'wait=1'])
  expect(['queued', 'running', 'waiting']).toContain(reply.body.run.status)
})

test('a key that may start but not read gets no state by waiting, and one that is revoked meanwhile neither', async () => {
  const owner = await given.user({ role: 'OWNER' })
  const runs = await workflowOf(owner, 'greet', "return { hello: 'world' }")
  const starting = await given.apiKey(owner, { permissions: ['workflows.execute'] })
  const reply = await ask('POST', runs, { token: starting.token, headers: waiting })
  expect([reply.status, reply.headers.get('preference-applied')]).toEqual([202, null])

  const steps = [{ key: 'wait', name: 'Wait', type: 'wait', config: { duration_ms: 3_600_000 } }]
  const { body } = await ask('POST', '/api/v1/workflows', { ...owner, body: { name: 'slow', steps } })
  const member = await given.user({ organizationId: owner.organizationId, role: 'MEMBER' })
  const waited = ask('POST', `/api/v1/workflows/${body.workflow?.id}/runs`, {
    token: member.token,
    organizationId: owner.organizationId,
    headers: { prefer: 'wait=2' },
  })
  await expect
    .poll(() =>
      ask('GET', `/api/v1/workflows/${body.workflow?.id}/runs`, owner).then((each) => each.body.total),
    )
    .toBe(1)
  await ask('POST', '/api/auth/logout', { token: member.token })
  const ended = await waited
  expect([ended.status, ended.headers.get('preference-applied')]).toEqual([202, null])
})
