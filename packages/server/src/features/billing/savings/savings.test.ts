import { clusterMetrics, databaseMetrics } from '@bey/contract'
import { expect, test } from 'vitest'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Sample } from '../../../platform/metrics/metrics.ts'
import { objectVersions } from '../../../tables/object-versions.ts'
import { testApp } from '../../../testing/app.ts'
import { measureHours } from '../../../testing/measure-hours.ts'
import { requestPatch } from './workload-patch.ts'

const app = await testApp()
const { given, database } = app
const gib = 2 ** 30
const node = (name: string) => ({ node: name })
const web = { namespace: 'shop', kind: 'Deployment', workload: 'web' }

const measured = (
  organizationId: number,
  entity: { type: string; id: string },
  samples: Sample[],
  hours: number,
) => measureHours(database, organizationId, entity, samples, hours)

const nodes = (names: string[]): Sample[] =>
  names.flatMap((name) => [
    { metric: clusterMetrics.cpuAllocatable, labels: node(name), value: 4_000 },
    { metric: clusterMetrics.memoryAllocatable, labels: node(name), value: 16 * gib },
  ])

const workload: Sample[] = [
  { metric: clusterMetrics.cpuRequested, labels: web, value: 4_000 },
  { metric: clusterMetrics.cpuUsed, labels: web, value: 500 },
  { metric: clusterMetrics.memoryRequested, labels: web, value: 8 * gib },
  { metric: clusterMetrics.memoryUsed, labels: web, value: 2 * gib },
]

test('a node too many and a workload that requests too much are found with evidence, a price and a patch', async () => {
  const user = await given.user({ role: 'OWNER' })
  const { organizationId, token } = user
  const cluster = await given.cluster({ organizationId, title: 'prod-eu' })
  const entity = { type: 'cluster', id: String(cluster.id) }
  await measured(organizationId, entity, [...nodes(['w1', 'w2', 'w3']), ...workload], 200)
  await database.withTenant(organizationId, (db) =>
    db.insert(objectVersions).values({
      id: uuidv7(),
      organizationId,
      clusterId: cluster.id,
      resource: 'deployments.apps',
      kind: 'Deployment',
      namespace: 'shop',
      name: 'web',
      uid: 'u',
      at: new Date(),
      change: 'found',
      hash: '',
      bytes: 2,
      object: {
        spec: {
          template: {
            spec: { containers: [{ name: 'app', resources: { requests: { cpu: '2', memory: '4Gi' } } }] },
          },
        },
      },
    }),
  )
  const { body } = await app.ask('GET', '/api/billing/savings', { token, organizationId })
  expect(body.savings.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
    'over_requested',
    'spare_node',
  ])
  const spare = body.savings.find(({ kind }: { kind: string }) => kind === 'spare_node')
  // 4x16 costs 0.10 an hour in the example prices.
  expect(spare).toMatchObject({
    title: 'prod-eu has 1 node too many',
    detail: '2 carry its busiest hour of 8 days',
    amount: '73.05',
    isDirect: true,
  })
  expect(body.total).toBe('73.05')
  const over = body.savings.find(({ kind }: { kind: string }) => kind === 'over_requested')
  expect(over).toMatchObject({ title: 'web requests 4.0 cores and uses 0.5', isDirect: false })
  // 0.5 cores and a fifth of 4, for a container that asked for 2; 2 GiB and a fifth of 8, of 4.
  expect(over.change.yaml).toContain('cpu: 300m')
  expect(over.change.yaml).toContain('memory: 1232Mi')
})

test('what was measured for less than 7 days is not judged, and that is said', async () => {
  const user = await given.user({ role: 'OWNER' })
  const { organizationId, token } = user
  const cluster = await given.cluster({ organizationId, title: 'new' })
  const entity = { type: 'cluster', id: String(cluster.id) }
  await measured(organizationId, entity, [...nodes(['w1', 'w2', 'w3']), ...workload], 48)
  const { body } = await app.ask('GET', '/api/billing/savings', { token, organizationId })
  expect(body.savings).toEqual([])
  expect(body.notJudged).toContain('new: 1 workload was measured for less than 7 days.')
})

test('a cluster whose busiest hour needs all nodes keeps them', async () => {
  const user = await given.user({ role: 'OWNER' })
  const { organizationId, token } = user
  const cluster = await given.cluster({ organizationId, title: 'full' })
  const busy: Sample[] = [
    { metric: clusterMetrics.cpuRequested, labels: web, value: 7_000 },
    { metric: clusterMetrics.cpuUsed, labels: web, value: 6_900 },
  ]
  await measured(
    organizationId,
    { type: 'cluster', id: String(cluster.id) },
    [...nodes(['w1', 'w2']), ...busy],
    200,
  )
  const { body } = await app.ask('GET', '/api/billing/savings', { token, organizationId })
  expect(body.savings).toEqual([])
})

test('a database to which nothing is written is idle, one that is written to is not', async () => {
  const user = await given.user({ role: 'OWNER' })
  const member = await given.user({ organizationId: user.organizationId, role: 'MEMBER' })
  const { organizationId, token } = user
  const made = async (name: string, written: number) => {
    const { rows } = await database.ownerPool.query<{ id: string }>(
      `insert into databases (id, organization_id, name, provider, status, database_name, username, tls)
       values ($1, $2, $3, 'embedded', 'available', 'app', 'app', 'disable') returning id`,
      [uuidv7(), organizationId, name],
    )
    const samples = [
      { metric: databaseMetrics.rowsWritten, value: written },
      { metric: databaseMetrics.transactions, value: 0.5 },
      { metric: databaseMetrics.size, value: 10e9 },
    ]
    await measured(organizationId, { type: 'database', id: rows[0]?.id ?? '' }, samples, 200)
  }
  await made('orders', 12)
  await made('loadtest', 0)
  const { body } = await app.ask('GET', '/api/billing/savings', { token, organizationId })
  expect(body.savings).toMatchObject([
    { kind: 'idle_database', title: 'loadtest, nothing written for 8 days', amount: '39.45' },
  ])
  const own = await app.ask('GET', '/api/billing/savings', { token: member.token, organizationId })
  expect(own.body).toMatchObject({ savings: [], scope: 'own' })
})

test('a patch shares requests among containers, and never asks for nothing', () => {
  const containers = [
    { name: 'app', resources: { requests: { cpu: '1', memory: '1Gi' } } },
    { name: 'proxy', resources: { requests: { cpu: '10m' } } },
    { name: 'none' },
  ]
  const object = { spec: { template: { spec: { containers } } } }
  const place = { kind: 'Deployment', namespace: 'shop', name: 'web' }
  const yaml = requestPatch(object, place, { cpu: 0.5, memory: 0.5 })
  expect(yaml).toContain('cpu: 500m\n              memory: 512Mi')
  expect(yaml).toContain(
    '- name: "proxy"\n          resources:\n            requests:\n              cpu: 10m',
  )
  expect(yaml).not.toContain('none')
  expect(requestPatch(undefined, place, { cpu: 1, memory: 1 })).toBeNull()
})
