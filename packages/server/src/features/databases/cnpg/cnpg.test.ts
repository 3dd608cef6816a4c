import { expect, test, vi } from 'vitest'

import { cnpgApp } from './testing/cnpg-app.ts'

const { app, admin, lookNow, ask, until, operator, clusterId, untilPhase, passwordOf, cutConnections } =
  await cnpgApp()
const healthy = 'Cluster in healthy state'

test('a Cluster that exists is found, managed without a change to it, and queried through the API of its cluster', async () => {
  await operator.create('shop', 'orders')
  await untilPhase('shop', 'orders', healthy)
  const before = await operator.read('shop', 'orders')
  const found = await ask('GET', '/api/databases/clusters')
  expect(found.status, found.text).toBe(200)
  expect(found.body.clusters).toMatchObject([
    {
      id: clusterId,
      title: 'prod-eu',
      problem: null,
      namespaces: expect.arrayContaining(['shop']),
      found: [{ namespace: 'shop', name: 'orders', phase: healthy, readyInstances: 1, databaseId: null }],
    },
  ])
  const body = { clusterId, namespace: 'shop', cluster: 'orders' }
  const adopt = () => ask('POST', '/api/databases/adopt', body, { 'idempotency-key': 'adopt-orders' })
  const made = await adopt()
  expect(made.status, made.text).toBe(201)
  // Sent again, it answers the same and manages nothing twice.
  expect((await adopt()).body).toEqual(made.body)
  expect(made.text).not.toContain('of-orders')
  expect(made.body).toMatchObject({
    name: 'orders',
    provider: 'cnpg',
    endpoint: { host: 'orders-rw.shop.svc', port: 5432 },
    cluster: { title: 'prod-eu', namespace: 'shop', name: 'orders', isAdopted: true },
  })
  const ready = await until(made.body.id, {
    status: 'available',
    health: { state: 'healthy' },
    // No store is named, so nothing is said to be backed up.
    cluster: { phase: healthy, instances: 1, readyInstances: 1, primary: 'orders-1', backups: null },
  })
  expect(ready.figures.maxConnections).toBeGreaterThan(0)
  expect(await passwordOf(ready.credential.id)).toBe('of-orders')
  const path = `/api/databases/${made.body.id}`
  const written = await ask('POST', `${path}/execute`, { statement: 'create table rows (id int)' })
  expect(written.body.error, written.text).toBeNull()
  const read = await ask('POST', `${path}/query`, { statement: 'select count(*) from rows' })
  expect(read.body.rows, read.text).toEqual([['0']])
  expect((await ask('POST', `${path}/query`, { statement: 'drop table rows' })).body.error).toMatchObject({
    code: '25006',
  })
  const after = await operator.read('shop', 'orders')
  expect([after.spec, after.metadata?.annotations]).toEqual([before.spec, before.metadata?.annotations])
  const again = await ask('POST', '/api/databases/adopt', { ...body, name: 'other' })
  expect([again.status, again.body.detail]).toEqual([409, 'The Cluster "orders" is managed here already.'])
}, 120_000)

/** The database that manages a Cluster of its own. */
async function managed(name: string, spec: object = {}) {
  await operator.create('shop', name, spec)
  await untilPhase('shop', name, healthy)
  const made = await ask('POST', '/api/databases/adopt', { clusterId, namespace: 'shop', cluster: name })
  expect(made.status, made.text).toBe(201)
  return until(made.body.id, { status: 'available' })
}

test('what its operator says is seen at once, each phase with its cause, and health is unknown where the phase is', async () => {
  const { id } = await managed('stock')
  operator.hold('stock', 'Waiting for user action', 'User must issue a supervised switchover')
  await until(id, {
    status: 'degraded',
    reason: 'CloudNativePG waits for a person: User must issue a supervised switchover.',
    health: { state: 'degraded' },
  })
  operator.hold('stock', 'Meditating')
  await until(id, { status: 'degraded', health: { state: 'unknown' }, cluster: { phase: 'Meditating' } })
  const { body } = await ask('GET', '/api/databases?health=unknown')
  expect(body.databases.map(({ name }: { name: string }) => name)).toEqual(['stock'])
  operator.hold('stock', 'Failing over')
  await until(id, { status: 'failing_over', health: { state: 'starting' } })
  operator.letGo('stock')
  await until(id, { status: 'available', health: { state: 'healthy' }, reason: null })
}, 120_000)

test('a password that is changed in the cluster, and another primary, are followed by themselves', async () => {
  const { id, credential } = await managed('ledger', { instances: 2 })
  await operator.rotate('shop', 'ledger', 'rotated-elsewhere')
  cutConnections()
  await vi.waitFor(
    async () => {
      await lookNow()
      expect(await passwordOf(credential.id)).toBe('rotated-elsewhere')
    },
    { timeout: 60_000, interval: 250 },
  )
  await until(id, { status: 'available' })
  await operator.moveTo('shop', 'ledger', 'ledger-2')
  await until(id, { status: 'available', cluster: { primary: 'ledger-2' } })
  const read = await ask('POST', `/api/databases/${id}/query`, { statement: 'select 1' })
  expect(read.body.rows, read.text).toEqual([['1']])
}, 120_000)

test('whoever may not read the secret in the cluster manages nothing there, and letting go leaves the Cluster', async () => {
  const { id, name } = await managed('papers')
  const member = await app.given.user({ role: 'MEMBER', organizationId: admin.organizationId })
  const refused = await app.ask('POST', '/api/databases/adopt', {
    token: member.token,
    organizationId: admin.organizationId,
    body: { clusterId, namespace: 'shop', cluster: name },
  })
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
  expect(refused.body.detail).toContain('prod-eu')
  const missing = await ask('POST', '/api/databases/adopt', {
    clusterId,
    namespace: 'shop',
    cluster: 'nothing',
  })
  expect(missing.status).toBe(404)
  expect(
    (await ask('POST', '/api/databases/adopt', { clusterId: 999_999, namespace: 'shop', cluster: 'x' }))
      .status,
  ).toBe(404)
  expect((await ask('DELETE', `/api/databases/${id}`)).status).toBe(202)
  await expect
    .poll(async () => (await ask('GET', `/api/databases/${id}`)).status, { timeout: 60_000 })
    .toBe(404)
  expect((await operator.read('shop', 'papers')).status?.phase).toBe(healthy)
}, 120_000)
