import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { testApp } from '../../../testing/app.ts'
import { testDatabaseUrl } from '../../../testing/database.ts'
import { importableCluster } from '../../../testing/importable.ts'

test('a cluster that is away when the server starts shows what was known of it, with its age', async () => {
  const config = { databaseUrl: await testDatabaseUrl(), secretKey: randomBytes(32) }
  const before = await testApp(config)
  const outside = await importableCluster()
  const { token, organizationId } = await before.given.user()
  const kubeconfig = outside.kubeconfig([{ name: 'prod', user: outside.admin() }])
  const made = await before.ask('POST', '/api/kubernetes/import', {
    token,
    organizationId,
    body: { kubeconfig, clusters: [{ context: 'prod', title: 'prod' }] },
  })
  const path = `/api/kubernetes/clusters/${made.body.clusters[0].id}`
  await vi.waitFor(
    async () => {
      const { rows } = await before.database.asSystem('test', (db) =>
        db.execute('select 1 from cluster_health where overview is not null'),
      )
      expect(rows).toHaveLength(1)
    },
    { timeout: 30_000, interval: 100 },
  )
  const live = (await before.ask('GET', `${path}/overview`, { token, organizationId })).body
  expect(live.isLive).toBe(true)
  await before.stop()
  await outside.stop()

  const after = await testApp(config)
  const { status, body } = await after.ask('GET', `${path}/overview`, { token, organizationId })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    isLive: false,
    nodes: { total: 3 },
    health: { state: 'unknown', reason: 'Unreachable', detail: expect.stringContaining('refused') },
  })
  expect(Date.parse(body.asOf)).toBeLessThanOrEqual(Date.parse(live.asOf))
  await vi.waitFor(
    async () => {
      const cluster = (await after.ask('GET', path, { token, organizationId })).body
      expect(cluster.reachability).toMatchObject({
        state: 'unreachable',
        reason: expect.stringContaining('refused'),
      })
    },
    { timeout: 30_000, interval: 100 },
  )
  const pods = await after.ask('GET', `${path}/pods`, { token, organizationId })
  expect([pods.body.code, pods.body.detail]).toEqual([
    'cluster_unreachable',
    'The cluster "prod" does not answer: the connection was refused.',
  ])

  await outside.restart()
  await vi.waitFor(
    async () => {
      const { body: again } = await after.ask('GET', `${path}/overview`, { token, organizationId })
      expect(again.isLive).toBe(true)
    },
    { timeout: 40_000, interval: 200 },
  )
}, 120_000)
