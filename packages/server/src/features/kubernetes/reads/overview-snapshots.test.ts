import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../../../testing/app.ts'
import { testDatabaseUrl } from '../../../testing/database.ts'
import { importableCluster } from '../../../testing/importable.ts'

const config = { databaseUrl: await testDatabaseUrl(), secretKey: randomBytes(32) }

test('a cluster that is away when the server starts shows what was known of it, with its age', async () => {
  const before = await testApp(config)
  onTestFinished(() => before.stop())
  const outside = await importableCluster()
  await outside.namespace('shop')
  await outside.call('POST', '/api/v1/namespaces/shop/services', {
    metadata: { name: 'till' },
    spec: { ports: [{ port: 80 }] },
  })
  await outside.call('POST', '/api/v1/namespaces/shop/secrets', { metadata: { name: 'canary' } })
  await outside.call('POST', '/apis/apps/v1/namespaces/shop/deployments', {
    metadata: { name: 'till' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'till' } },
      template: {
        metadata: { labels: { app: 'till' } },
        spec: { containers: [{ name: 'main', image: 'nginx' }] },
      },
    },
  })
  await expect
    .poll(
      async () => ((await outside.call('GET', '/api/v1/namespaces/shop/pods'))['items'] as unknown[]).length,
    )
    .toBe(1)
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
    { timeout: 60_000, interval: 100 },
  )
  const ask = async (of: typeof before, rest: string) =>
    (await of.ask('GET', `${path}${rest}`, { token, organizationId })).body
  expect((await ask(before, '/objects/secrets')).isLive).toBe(true)
  const kept = async () => {
    const { rows } = await before.database.asSystem('test', (db) =>
      db.execute<{ key: string }>('select key from cluster_lists'),
    )
    return rows.map(({ key }) => key)
  }
  await expect
    .poll(kept, { timeout: 90_000, interval: 200 })
    .toEqual(
      expect.arrayContaining([
        'pods',
        'nodes',
        'deployments',
        'rows of services',
        'rows of configmaps',
        'discovery',
      ]),
    )
  expect((await kept()).filter((key) => key.includes('secret'))).toEqual([])
  const live = (await before.ask('GET', `${path}/overview`, { token, organizationId })).body
  expect(live.isLive).toBe(true)
  // What stands beside rows is away: the rows are shown without it.
  await before.database.ownerPool.query(
    `delete from cluster_lists where key in ('endpointslices.discovery.k8s.io', 'replicasets')`,
  )
  await before.stop()
  await outside.stop()

  const after = await testApp(config)
  onTestFinished(() => after.stop())
  const { status, body } = await after.ask('GET', `${path}/overview`, { token, organizationId })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    isLive: false,
    nodes: { total: 3 },
    // Which of the two depends on whether the first small request has failed already.
    health: {
      state: 'unknown',
      reason: expect.stringMatching(/^(Unreachable|NotReadable)$/),
      detail: expect.stringContaining('refused'),
    },
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
    { timeout: 60_000, interval: 100 },
  )
  for (const [rest, rows] of [
    ['/pods', 'pods'],
    ['/workloads', 'workloads'],
    ['/nodes', 'nodes'],
    ['/objects/services', 'objects'],
    ['/objects/configmaps', 'objects'],
  ] as const) {
    const list = await ask(after, rest)
    expect(list, `${rest}: ${list.detail ?? 'no problem'}`).toMatchObject({ isLive: false })
    expect(list[rows].length, rest).toBeGreaterThan(0)
    expect(Date.parse(list.asOf), rest).toBeLessThan(Date.now())
  }
  expect((await ask(after, '/objects/secrets')).code).toBe('cluster_unreachable')

  await outside.restart()
  await vi.waitFor(
    async () => {
      const { body: again } = await after.ask('GET', `${path}/overview`, { token, organizationId })
      expect(again.isLive).toBe(true)
    },
    { timeout: 60_000, interval: 200 },
  )
  expect((await ask(after, '/pods')).isLive).toBe(true)
}, 120_000)
