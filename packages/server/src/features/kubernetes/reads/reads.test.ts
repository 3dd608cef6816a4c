import type { DashboardOverview } from '@bey/contract'
import { afterAll, expect, test } from 'vitest'
import type { GivenUser } from '../../../testing/given.ts'
import { fakeCluster } from '../testing/fake-cluster.ts'
import { runningApp } from '../testing/running-app.ts'

const fake = await fakeCluster()
const dead = await fakeCluster()
await dead.stop()
afterAll(() => fake.stop())
const { given, cluster, call } = await runningApp()
const viewer = await given.user({ role: 'VIEWER' })
const { organizationId } = viewer
const stranger = await given.user()
const prod = await cluster(organizationId, fake.connection)

fake.answer = (request, response) => {
  if (request.url !== '/apis/metrics.k8s.io/v1beta1/nodes') return false
  const items = [{ metadata: { name: 'n1' }, usage: { cpu: '250m', memory: '1Gi' } }]
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items }))
  return true
}

const node = (name: string, isReady: boolean) => ({
  metadata: { name, uid: name, creationTimestamp: '2026-01-01T00:00:00Z' },
  status: {
    conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
    allocatable: { cpu: '4', memory: '16Gi', pods: '110' },
  },
})
const pod = (name: string, namespace: string, phase: string, nodeName?: string) => ({
  metadata: { name, namespace, uid: `${namespace}/${name}`, creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: {
    ...(nodeName && { nodeName }),
    containers: [{ resources: { requests: { cpu: '500m', memory: '1Gi' } } }],
  },
  status: { phase },
})
const paths = {
  statefulsets: '/apis/apps/v1/statefulsets',
  daemonsets: '/apis/apps/v1/daemonsets',
  services: '/api/v1/services',
}
fake.put('/api/v1/nodes', node('n1', true))
fake.put('/api/v1/nodes', node('n2', false))
for (const name of ['default', 'kube-system'])
  fake.put('/api/v1/namespaces', { metadata: { name, uid: name } })
fake.put('/api/v1/pods', pod('web-1', 'default', 'Running', 'n1'))
fake.put('/api/v1/pods', pod('web-2', 'default', 'Pending'))
fake.put('/api/v1/pods', pod('dns', 'kube-system', 'Running', 'n1'))
fake.put('/api/v1/pods', pod('job', 'default', 'Succeeded', 'n1'))
fake.put('/apis/apps/v1/deployments', { metadata: { name: 'web', namespace: 'default', uid: 'd' } })
for (const path of Object.values(paths))
  fake.put(path, { metadata: { name: 'x', namespace: 'default', uid: path } })
for (const [name, size, phase] of [
  ['data-0', '10Gi', 'Bound'],
  ['data-1', '50Gi', 'Bound'],
  ['data-2', '10Gi', 'Pending'],
] as const) {
  const claim = {
    metadata: { name, namespace: 'default', uid: name },
    spec: { resources: { requests: { storage: size } } },
    status: { phase, ...(phase === 'Bound' && { capacity: { storage: size } }) },
  }
  fake.put('/api/v1/persistentvolumeclaims', claim)
}
const times = ['2026-01-01T10:00:00Z', '2026-01-01T12:00:00Z', '2026-01-01T11:00:00Z']
for (const [index, at] of times.entries()) {
  const event = {
    metadata: { name: `e${index}`, namespace: 'default', uid: `e${index}` },
    type: index === 0 ? 'Warning' : 'Normal',
    reason: `R${index}`,
    message: 'm',
    lastTimestamp: at,
    involvedObject: { kind: 'Pod', name: `web-${index}` },
  }
  fake.put('/api/v1/events', event)
}

const as = (user: GivenUser) => ({ token: user.token, organizationId: user.organizationId })
const get = async (rest: string, user = viewer, id = prod.id) =>
  (await call('GET', `/api/kubernetes/clusters/${id}${rest}`, as(user))).json()

test('the overview counts what is there and sums what is requested of what can be allocated', async () => {
  expect(await get('/overview')).toMatchObject({
    kubernetesVersion: 'v1.33.0',
    nodes: { total: 2, ready: 1 },
    namespaces: 2,
    // A deployment, a stateful set, a daemon set, and four pods that belong to none of them.
    workloads: 7,
    services: 1,
    pods: { total: 4, byPhase: { Running: 2, Pending: 1, Succeeded: 1 } },
    capacity: {
      cpuMillicores: { requested: 1000, allocatable: 8000, used: 250 },
      memoryBytes: { requested: 2 * 2 ** 30, allocatable: 32 * 2 ** 30, used: 2 ** 30 },
      storageBytes: { requested: 70 * 2 ** 30, bound: 60 * 2 ** 30 },
      pods: { requested: 2, allocatable: 220 },
    },
    isLive: true,
  })
})

test('each count of the overview is the total of the list that it leads to', async () => {
  const total = async (list: string) => (await get(list))['total']
  expect(await get('/overview')).toMatchObject({
    nodes: { total: await total('/nodes') },
    pods: { total: await total('/pods') },
    workloads: await total('/workloads'),
    namespaces: await total('/namespaces'),
  })
})

test('nodes tell what is requested and used of each; what is not measured is null, not zero', async () => {
  const { nodes } = (await get('/nodes?sort=cpu&order=desc')) as { nodes: unknown[] }
  expect(nodes).toMatchObject([
    {
      name: 'n1',
      status: 'Ready',
      podCount: 2,
      failingCount: 0,
      failing: [],
      cpu: { requested: 1000, allocatable: 4000, used: 250 },
    },
    {
      name: 'n2',
      status: 'NotReady',
      podCount: 0,
      cpu: { requested: 0, used: null },
      memory: { used: null },
    },
  ])
})

test('a node tells its pods, the worst first, and what each uses of what it requests', async () => {
  const found = await get('/nodes/n1')
  expect(found).toMatchObject({
    node: { name: 'n1', podCount: 2, cpu: { requested: 1000, allocatable: 4000, used: 250 } },
    maxPods: 110,
    cell: { name: 'n1', podCount: 2 },
    isLive: true,
  })
  // What has ended holds nothing of the node.
  const { pods, podHealth } = found as { pods: { name: string }[]; podHealth: Record<string, number> }
  expect(pods.map(({ name }) => name).toSorted()).toEqual(['dns', 'web-1'])
  expect(pods[0]).toMatchObject({ cpu: { requested: 500, used: null }, memory: { requested: 2 ** 30 } })
  expect(Object.values(podHealth).reduce((sum, count) => sum + count, 0)).toBe(2)
})

test('a node that is not there is not found, and of another organization neither is the cluster', async () => {
  expect((await call('GET', `/api/kubernetes/clusters/${prod.id}/nodes/n9`, as(viewer))).status).toBe(404)
  expect((await call('GET', `/api/kubernetes/clusters/${prod.id}/nodes/n1`, as(stranger))).status).toBe(404)
})

test('namespaces, pods, workloads and events are filtered, sorted and paged', async () => {
  const names = (list: unknown) => (list as { name: string }[]).map(({ name }) => name)
  expect(await get('/namespaces?sort=pods&order=desc')).toMatchObject({
    namespaces: [
      { name: 'default', podCount: 3 },
      { name: 'kube-system', podCount: 1 },
    ],
    total: 2,
  })
  expect(names((await get('/pods'))['pods'])).toEqual(['dns', 'job', 'web-1', 'web-2'])
  expect(names((await get('/pods?namespace=default&phase=Pending'))['pods'])).toEqual(['web-2'])
  expect(names((await get('/pods?node=n1&search=WEB'))['pods'])).toEqual(['web-1'])
  expect(await get('/pods?limit=1&page=2&order=desc')).toMatchObject({
    pods: [{ name: 'web-1' }],
    total: 4,
    page: 2,
    limit: 1,
  })
  expect(await get('/workloads?namespace=default&kind=Deployment')).toMatchObject({
    workloads: [{ kind: 'Deployment', name: 'web', desired: 1 }],
    total: 1,
  })
  const events = (await get('/events'))['events'] as { reason: string; object: string }[]
  expect(events.map(({ reason }) => reason)).toEqual(['R1', 'R2', 'R0'])
  expect(events[0]).toMatchObject({ object: 'Pod/web-1', lastSeenAt: '2026-01-01T12:00:00.000Z' })
  expect(await get('/events?type=Warning&search=web-0')).toMatchObject({ total: 1 })
})

test('lists tell the health of each, filter by it and put what needs somebody first', async () => {
  const states = (list: unknown) =>
    (list as { name: string; health: { state: string } }[]).map(
      ({ name, health }) => `${name} ${health.state}`,
    )
  expect(states((await get('/nodes?sort=health'))['nodes'])).toEqual(['n2 failing', 'n1 healthy'])
  expect(states((await get('/nodes?health=healthy'))['nodes'])).toEqual(['n1 healthy'])
  expect(states((await get('/pods?sort=health'))['pods'])).toEqual([
    'web-2 failing',
    'web-1 starting',
    'dns starting',
    'job healthy',
  ])
  expect(await get('/pods?health=failing')).toMatchObject({
    total: 1,
    pods: [{ health: { reason: 'Pending' } }],
  })
  expect(states((await get('/workloads?health=failing&sort=kind'))['workloads'])).toContain('web-2 failing')
  expect(states((await get('/namespaces?sort=health'))['namespaces'])).toEqual([
    'default failing',
    'kube-system starting',
  ])
})

test('the overview groups what needs attention, and maps pods to nodes', async () => {
  const overview = (await get('/overview')) as {
    attention: { items: { kind: string; name: string; href: string }[]; counts: object }
    nodeMap: object[]
  }
  expect(overview).toMatchObject({
    health: { state: 'failing', object: { kind: 'Node', name: 'n2' } },
    healthCounts: { nodes: { failing: 1, healthy: 1 }, pods: { failing: 1 } },
    unreadable: null,
  })
  expect(overview.attention.items.map(({ kind, name }) => `${kind} ${name}`)).toContain('Pod web-2')
  expect(overview.nodeMap).toMatchObject([
    { name: 'n1', cpu: { used: 0.06, requested: 0.25 }, podCount: 2, pods: [{ state: 'starting' }, {}] },
    { name: 'n2', health: { state: 'failing' }, podCount: 0 },
    { name: null, podCount: 1, failingCount: 1, failing: [{ name: 'web-2', reason: 'Pending' }] },
  ])
})

test('a kind that may not be read makes health unknown, and the rest is still shown', async () => {
  const partial = await fakeCluster()
  partial.put('/api/v1/nodes', node('n1', true))
  partial.answer = (request, response) => {
    if (!request.url?.startsWith('/apis/batch/v1/jobs')) return false
    response.writeHead(403).end()
    return true
  }
  const made = await cluster(organizationId, partial.connection)
  expect(await get('/overview', viewer, made.id)).toMatchObject({
    nodes: { total: 1, ready: 1 },
    health: { state: 'unknown', reason: 'NotReadable' },
    unreadable: { kinds: ['jobs'], reason: 'Bey has no right to read it' },
    attention: { counts: { unknown: 1 } },
  })
  await partial.stop()
})

test('a foreign cluster is not found, an unreachable one is an error that says why', async () => {
  for (const rest of ['/overview', '/nodes', '/namespaces', '/pods', '/workloads', '/events']) {
    expect(await get(rest, stranger)).toMatchObject({ status: 404, code: 'not_found' })
  }
  const lost = await cluster(stranger.organizationId, dead.connection)
  expect(await get('/pods', stranger, lost.id)).toMatchObject({
    status: 502,
    code: 'cluster_unreachable',
    detail: `The cluster "${lost.title}" does not answer: the connection was refused.`,
  })
})

test('the dashboard adds up what answers, and names what does not instead of counting it as nothing', async () => {
  const lost = await cluster(organizationId, dead.connection)
  await given.cluster({ organizationId, status: 'ERROR' })
  await given.cluster({ organizationId, status: 'DELETED', deletedAt: new Date() })
  const workflow = await given.workflow({ organizationId })
  const run = (status: 'completed' | 'failed', hoursAgo: number) =>
    given.run({
      organizationId,
      workflowId: workflow.id,
      status,
      queuedAt: new Date(Date.now() - hoursAgo * 3_600_000),
    })
  await run('completed', 1)
  await run('completed', 23)
  await run('failed', 2)
  await run('failed', 25)
  const reply = await call('GET', '/api/analytics/dashboard', as(viewer))
  expect(reply.json()).toMatchObject({
    clusters: { total: 4, byStatus: { RUNNING: 3, ERROR: 1 } },
    nodes: { total: 2, ready: 1 },
    pods: { total: 4, byPhase: { Running: 2, Pending: 1, Succeeded: 1 } },
    capacity: { cpuMillicores: { requested: 1000, allocatable: 8000, used: 250 } },
    runs24h: { total: 3, byStatus: { completed: 2, failed: 1 } },
    summary: { state: 'failing' },
    attention: { counts: { unknown: expect.any(Number) as number } },
  })
  const { clusterRows, unreachableClusters, attention } = reply.json() as {
    clusterRows: { id: number; health: object }[]
    unreachableClusters: { id: number; reason: string }[]
    attention: { items: { key: string; kind: string; name: string; health: { state: string } }[] }
  }
  expect(clusterRows.find(({ id }) => id === prod.id)).toMatchObject({
    title: prod.title,
    nodes: { total: 2, ready: 1 },
    health: { state: 'failing' },
    nodeMap: [{ name: 'n1' }, { name: 'n2' }, { name: null }],
  })
  expect(unreachableClusters.find(({ id }) => id === lost.id)?.reason).toContain('refused')
  const items = attention.items.map(({ kind, name, health }) => `${health.state} ${kind} ${name}`)
  expect(items).toContain(`unknown Cluster ${lost.title}`)
  expect(items).toContain('failing Node n2')
  expect(items.some((item) => item.startsWith('degraded Run'))).toBe(false)

  const overview = (await call('GET', '/api/analytics/overview', as(viewer))).json() as DashboardOverview
  expect(overview.dashboard).toMatchObject({ clusters: { total: 4 }, runs24h: { total: 3 } })
  expect(overview.runs?.listed).toMatchObject({ total: 4, limit: 8 })
  expect(overview.runs?.marked.runs.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed'])
  expect(overview.metrics?.trends.stepMs).toBe(1_800_000)
})

test('a run that failed needs attention until one of the same succeeds', async () => {
  const owner = await given.user()
  const workflow = await given.workflow({ organizationId: owner.organizationId })
  const ran = (status: 'completed' | 'failed', minutesAgo: number) =>
    given.run({
      organizationId: owner.organizationId,
      workflowId: workflow.id,
      status,
      queuedAt: new Date(Date.now() - minutesAgo * 60_000),
    })
  const attention = async () =>
    ((await call('GET', '/api/analytics/dashboard', as(owner))).json() as { attention: { items: object[] } })
      .attention.items
  await ran('failed', 10)
  expect(await attention()).toMatchObject([
    { kind: 'Run', name: workflow.name, health: { state: 'degraded' } },
  ])
  await ran('completed', 5)
  // No event was published of it: the answer that readers share is kept for some seconds.
  await expect.poll(attention).toEqual([])
})

test('the dashboard of an organization without clusters is zero, and reads nobody else’s', async () => {
  const alone = await given.user({ role: 'VIEWER' })
  expect((await call('GET', '/api/analytics/dashboard', as(alone))).json()).toMatchObject({
    clusters: { total: 0, byStatus: {} },
    nodes: { total: 0, ready: 0 },
    capacity: { cpuMillicores: { requested: 0, allocatable: 0, used: null } },
    runs24h: { total: 0, byStatus: {} },
    clusterRows: [],
    unreachableClusters: [],
  })
  expect((await call('GET', '/api/analytics/overview', as(alone))).json()).toMatchObject({
    runs: { listed: { runs: [] }, marked: { runs: [] } },
    metrics: null,
  })
})

test('the overview leaves out what a key may not read', async () => {
  const owner = await given.user()
  const key = await given.apiKey(owner, { permissions: ['analytics.read'] })
  expect(
    (await call('GET', '/api/analytics/overview', as({ ...owner, token: key.token }))).json(),
  ).toMatchObject({
    dashboard: { clusters: { total: 0 } },
    runs: null,
    metrics: null,
  })
})

test('a node names the pods of it that fail, and why', async () => {
  const crashing = {
    ...pod('mailer', 'default', 'Running', 'n1'),
    status: {
      phase: 'Running',
      containerStatuses: [
        { name: 'c', ready: false, restartCount: 9, state: { waiting: { reason: 'CrashLoopBackOff' } } },
      ],
    },
  }
  fake.put('/api/v1/pods', crashing)
  const failing = { namespace: 'default', name: 'mailer', reason: 'CrashLoopBackOff' }
  await expect
    .poll(async () => (await get('/nodes?sort=name'))['nodes'])
    .toMatchObject([{ name: 'n1', failingCount: 1, failing: [failing] }, { failingCount: 0 }])
  expect(await get('/nodes/n1')).toMatchObject({ node: { failing: [failing] }, cell: { failing: [failing] } })
})
