import { expect, test } from 'vitest'

import { cnpgApp } from './testing/cnpg-app.ts'

const { app, admin, ask, until, operator, outside, clusterId } = await cnpgApp()
const cluster = { clusterId, namespace: 'shop', instances: 2, storage: '2Gi' }

type Line = { message: string }

/** The run that last worked on a database, once it is over, with what it logged. */
async function lastRun(id: string) {
  const { lastRun: run } = (await ask('GET', `/api/databases/${id}`)).body
  const path = `/api/v1/workflows/${run.workflowId}/runs/${run.runId}`
  const { body } = await ask('GET', path)
  const logs = await ask('GET', `${path}/logs`)
  return { ...body, lines: (logs.body.logs ?? []).map(({ message }: Line) => message) }
}

test('a database is made on a cluster, changed, switched over, put to sleep and deleted, each by a run', async () => {
  const shown = await ask('POST', '/api/databases/preview', { name: 'orders-eu', cluster })
  expect(shown.status, shown.text).toBe(200)
  expect(shown.body).toMatchObject({ problem: null, yaml: expect.stringContaining('size: 2Gi') })
  const input = {
    provider: 'cnpg',
    name: 'orders-eu',
    cluster: { ...cluster, version: '17', parameters: { work_mem: '8MB' } },
  }
  const made = await ask('POST', '/api/databases', input)
  expect(made.status, made.text).toBe(201)
  expect(made.body).toMatchObject({ status: 'pending', credential: null, cluster: { isAdopted: false } })
  const { id } = made.body
  const ready = await until(id, {
    status: 'available',
    cluster: {
      instances: 2,
      readyInstances: 2,
      storage: '2Gi',
      image: 'ghcr.io/cloudnative-pg/postgresql:17',
    },
  })
  expect(ready.credential.name).toBe('databases/orders-eu')
  const { spec } = await operator.read('shop', 'orders-eu')
  expect(spec).toMatchObject({
    instances: 2,
    bootstrap: { initdb: { database: 'orders_eu', owner: 'orders_eu' } },
    postgresql: { parameters: { work_mem: '8MB' } },
  })
  const path = `/api/databases/${id}`
  const read = await ask('POST', `${path}/query`, { statement: 'select 1' })
  expect(read.body.rows, read.text).toEqual([['1']])
  const again = await ask('POST', '/api/databases/preview', { name: 'orders-eu', cluster })
  expect(again.body.problem).toContain('exists already')

  const over = await ask('POST', `${path}/fail-over`, { to: 'orders-eu-2' })
  expect(over.status, over.text).toBe(202)
  await until(id, { status: 'available', cluster: { primary: 'orders-eu-2' } })

  const change = { instances: 1, parameters: { work_mem: '16MB' }, storage: '3Gi' }
  expect((await ask('POST', `${path}/change-cluster`, change)).status).toBe(202)
  await until(id, { status: 'updating' })
  await until(id, { status: 'available', cluster: { instances: 1, storage: '3Gi' } })
  expect((await operator.read('shop', 'orders-eu')).spec?.postgresql?.parameters).toMatchObject({
    work_mem: '16MB',
    'pg_stat_statements.track': 'top',
  })
  const smaller = await ask('POST', `${path}/change-cluster`, { storage: '1Gi' })
  expect([smaller.status, smaller.body.detail]).toEqual([409, expect.stringContaining('Volumes grow only')])
  const alone = await ask('POST', `${path}/fail-over`, {})
  expect([alone.status, alone.body.detail]).toEqual([409, expect.stringContaining('It has one instance')])

  expect((await ask('POST', `${path}/restart`)).status).toBe(202)
  await until(id, { status: 'restarting' })
  await until(id, { status: 'available' })
  expect((await ask('POST', `${path}/hibernate`)).status).toBe(202)
  await until(id, { status: 'hibernated', health: { state: 'healthy' } })
  expect((await ask('POST', `${path}/resume`)).status).toBe(202)
  await until(id, { status: 'available' })

  expect((await ask('PATCH', path, { isProtected: true })).status).toBe(200)
  expect((await ask('DELETE', path)).status).toBe(409)
  await ask('PATCH', path, { isProtected: false })
  expect((await ask('DELETE', path)).status).toBe(202)
  await expect.poll(async () => (await ask('GET', path)).status, { timeout: 60_000 }).toBe(404)
  await expect(operator.read('shop', 'orders-eu')).rejects.toThrow('404')
}, 180_000)

test.each([
  ['a namespace that is missing', { namespace: 'nowhere' }, 'The cluster has no namespace "nowhere"'],
  [
    'a storage class that is missing',
    { storageClass: 'golden' },
    'The cluster has no storage class "golden"',
  ],
])('%s is said before anything is made', async (_what, part, words) => {
  const wish = { name: 'missing', cluster: { ...cluster, ...part } }
  expect((await ask('POST', '/api/databases/preview', wish)).body.problem).toContain(words)
  const made = await ask('POST', '/api/databases', { ...wish, provider: 'cnpg' })
  const failed = await until(made.body.id, { status: 'error' })
  expect(failed.reason).toContain(words)
  expect((await ask('DELETE', `/api/databases/${made.body.id}`)).status).toBe(202)
  await expect
    .poll(async () => (await ask('GET', `/api/databases/${made.body.id}`)).status, { timeout: 60_000 })
    .toBe(404)
})

test('the Cluster of somebody else is never taken for the new one', async () => {
  await operator.create('shop', 'theirs')
  const made = await ask('POST', '/api/databases', { provider: 'cnpg', name: 'theirs', cluster })
  const failed = await until(made.body.id, { status: 'error' })
  expect(failed.reason).toContain('A Cluster "theirs" exists already in the namespace "shop"')
  expect((await ask('DELETE', `/api/databases/${made.body.id}`)).status).toBe(202)
  await expect
    .poll(async () => (await ask('GET', `/api/databases/${made.body.id}`)).status, { timeout: 60_000 })
    .toBe(404)
  expect((await operator.read('shop', 'theirs')).metadata?.name).toBe('theirs')
})

test('whom the cluster does not let make Clusters makes none, and learns why', async () => {
  const member = await app.given.user({ role: 'MEMBER', organizationId: admin.organizationId })
  const as = { token: member.token, organizationId: admin.organizationId }
  const seen = await app.ask('GET', '/api/databases/clusters', as)
  expect(seen.body.clusters[0].problem).toContain('does not let you list Clusters')
  const made = await app.ask('POST', '/api/databases', {
    ...as,
    body: { provider: 'cnpg', name: 'forbidden', cluster },
  })
  const failed = await until(made.body.id, { status: 'error' })
  expect(failed.reason).toContain('forbidden')
})

test('a cluster that goes away is said, and what is there is found again by itself', async () => {
  const made = await ask('POST', '/api/databases', {
    provider: 'cnpg',
    name: 'lost',
    cluster: { ...cluster, instances: 1 },
  })
  const { id } = await until(made.body.id, { status: 'available' })
  expect((await lastRun(id)).lines.join(' ')).not.toContain('of-lost')
  await outside.stop()
  await until(id, { status: 'unreachable', reason: expect.stringContaining('The cluster does not answer') })
  await outside.restart()
  await until(id, { status: 'available', reason: null })
}, 120_000)
