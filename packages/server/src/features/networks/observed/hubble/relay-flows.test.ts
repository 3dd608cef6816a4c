import type { FlowMap } from '@bey/contract'
import { expect, test, vi } from 'vitest'
import { testApp } from '../../../../testing/app.ts'
import { importableCluster } from '../../../../testing/importable.ts'
import { databaseApi } from '../../../databases/testing/database-api.ts'
import { hubbleServer, packet } from '../testing/hubble-server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const patience = { timeout: 60_000, interval: 100 }

const hubble = await hubbleServer()
const outside = await importableCluster({ forwardedPorts: [hubble.port] })
const app = await testApp()
const admin = await app.given.user({ role: 'ADMIN' })
const { ask } = databaseApi(app, admin)

const ips = new Map<string, string>()
async function pod(
  namespace: string,
  name: string,
  port: number,
  extra: object = {},
  of: Pick<typeof outside, 'call'> = outside,
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods`
  await of.call('POST', path, {
    metadata: { name, labels: { app: name }, ...extra },
    spec: {
      containers: [
        {
          name: 'main',
          image: 'busybox',
          command: ['sleep', 'infinity'],
          ports: [{ name: 'grpc', containerPort: port }],
        },
      ],
    },
  })
  await vi.waitFor(async () => {
    const { status } = (await of.call('GET', `${path}/${name}`)) as {
      status: { phase: string; podIP: string }
    }
    expect(status.phase).toBe('Running')
    ips.set(name, status.podIP)
  }, patience)
}
const end = (namespace: string, name: string) => ({ namespace, pod_name: name, ip: ips.get(name) ?? '' })

for (const name of ['shop', 'data', 'debug']) await outside.namespace(name)
await pod('shop', 'web', 8080)
await pod('data', 'orders', 5432)
await pod('debug', 'shell', 9)
await outside.call('POST', '/apis/networking.k8s.io/v1/namespaces/data/networkpolicies', {
  metadata: { name: 'only-shop' },
  spec: {
    podSelector: {},
    ingress: [{ from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } } }] }],
  },
})
async function importAs(
  { kubeconfig }: Pick<typeof outside, 'kubeconfig'>,
  name: string,
  user: Record<string, unknown>,
): Promise<number> {
  const { body } = await ask('POST', '/api/kubernetes/import', {
    kubeconfig: kubeconfig([{ name, user }]),
    clusters: [{ context: name, title: name }],
  })
  const [{ id }] = body.clusters
  await vi.waitFor(async () => {
    expect((await ask('GET', `/api/kubernetes/clusters/${id}`)).body.status).toBe('RUNNING')
  }, patience)
  return id as number
}
const clusterId = await importAs(outside, 'prod-eu', outside.admin())

const flowMap = async (id = clusterId): Promise<FlowMap> => {
  const { status, body } = await ask('GET', `/api/kubernetes/clusters/${id}/reachability/flows?by=workload`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as FlowMap
}
const way = (map: FlowMap, from: string, to: string) =>
  map.edges.find((edge) => edge.from.endsWith(from) && edge.to.endsWith(to))

const service = '/api/v1/namespaces/kube-system/services'
const relayService = (port: number) => ({
  metadata: { name: 'hubble-relay' },
  spec: { selector: { app: 'hubble-relay' }, ports: [{ port, targetPort: 'grpc' }] },
})

// The sandbox of this test reports connections too, which count while the relay cannot be read.
const reasonIs = (text: string) =>
  vi.waitFor(async () => {
    const { observedBy, incomplete } = await flowMap()
    expect(observedBy).toBe('sandbox')
    expect(incomplete).toContain(text)
  }, patience)

test('a relay that asks for TLS, without pods, or of another program is said, each in its sentence', async () => {
  await outside.call('POST', service, relayService(443))
  await reasonIs('asks for a client certificate (TLS)')
  await outside.call('DELETE', `${service}/hubble-relay`)
  await outside.call('POST', service, relayService(80))
  await reasonIs('No pod of Hubble Relay runs')
  await pod('kube-system', 'hubble-relay', 4245)
  await reasonIs('Hubble Relay cannot be read')
  await outside.call('DELETE', '/api/v1/namespaces/kube-system/pods/hubble-relay?gracePeriodSeconds=0')
  await outside.call('DELETE', `${service}/hubble-relay`)
})

test('connections that Hubble Relay reports are counted once each, with their workloads, and dropped ones apart', async () => {
  const [web, orders, shell] = [end('shop', 'web'), end('data', 'orders'), end('debug', 'shell')]
  const world = { ip: '203.0.113.9', identity: 2 }
  hubble.relay.remembered = [
    // One connection, as it leaves its source, as it arrives, and once more; then a second one.
    packet({ from: web, to: orders, port: 5432, direction: 2 }),
    packet({ from: web, to: orders, port: 5432 }),
    packet({ from: web, to: orders, port: 5432 }),
    packet({ from: web, to: orders, port: 5432, sourcePort: 40_001 }),
    // Left its source and was dropped on arrival, twice tried; never let through.
    packet({ from: shell, to: orders, port: 5432, direction: 2 }),
    packet({ from: shell, to: orders, port: 5432, verdict: 2, isReply: null }),
    packet({ from: shell, to: orders, port: 5432, verdict: 2, isReply: null, sourcePort: 40_001 }),
    // A reply, the probe of a node, a packet whose direction is not known, and a request of layer 7.
    packet({ from: orders, to: web, port: 40_000, isReply: true }),
    packet({ from: { ip: '10.0.0.1', identity: 1 }, to: web, port: 8080 }),
    packet({ from: orders, to: web, port: 8080, isReply: null }),
    packet({ from: orders, to: web, port: 8080, type: 2 }),
    packet({ from: web, to: world, port: 443, direction: 2 }),
    { node_status: { state_change: 2, node_names: ['worker-2'] } },
    { lost_events: { source: 3, num_events_lost: 7 } },
  ]
  await pod('kube-system', 'hubble-relay', 4245, {
    annotations: { 'sandbox.bey/forward-4245': String(hubble.port) },
  })
  await outside.call('POST', service, relayService(80))
  await vi.waitFor(async () => {
    const map = await flowMap()
    expect(map).toMatchObject({ observedBy: 'hubble', notObserved: null })
    expect(way(map, 'shop/Pod/web', 'data/Pod/orders')).toMatchObject({
      state: 'used',
      observed: { passed: 2, dropped: 0 },
    })
    expect(way(map, 'debug/Pod/shell', 'data/Pod/orders')).toMatchObject({
      state: 'refused',
      policy: 'closed',
      observed: { passed: 0, dropped: 2 },
    })
    expect(way(map, 'shop/Pod/web', 'address:0.0.0.0/0')).toMatchObject({ observed: { passed: 1 } })
    expect(way(map, 'data/Pod/orders', 'shop/Pod/web')).toMatchObject({ state: 'unused' })
    expect(map.incomplete).toBe('Hubble hears nothing of the node worker-2. Hubble lost 7 events.')
    expect(map.observedSince).not.toBeNull()
  }, patience)
  expect(hubble.asked[0]?.whitelist).toEqual([{ verdict: [1, 2], reply: [false] }])

  hubble.send({ node_status: { state_change: 1, node_names: ['worker-2'] } })
  hubble.send(packet({ from: web, to: orders, port: 5432, sourcePort: 40_002 }))
  await vi.waitFor(async () => {
    const map = await flowMap()
    expect(way(map, 'shop/Pod/web', 'data/Pod/orders')?.observed?.passed).toBe(3)
    expect(map.incomplete).toBe('Hubble lost 7 events.')
  }, patience)
  // One stream for all who ask.
  expect(hubble.following()).toBe(1)

  // What was seen stays while the relay is away, and says so; then it is followed again.
  hubble.relay.failure = { code: 12, details: 'unknown method GetFlows' }
  hubble.end()
  await vi.waitFor(async () => {
    const map = await flowMap()
    expect(way(map, 'shop/Pod/web', 'data/Pod/orders')?.observed?.passed).toBe(3)
    expect(map.incomplete).toContain(
      'its version is too old. Connections are those that were observed before.',
    )
  }, patience)
  hubble.relay.failure = undefined
  await vi.waitFor(async () => expect((await flowMap()).incomplete).not.toContain('too old'), patience)
  expect(way(await flowMap(), 'shop/Pod/web', 'data/Pod/orders')?.observed?.passed).toBe(3)
})

test('an account that may not forward ports is told what it lacks, and the map does not look as if nothing flowed', async () => {
  const other = await importableCluster()
  await other.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterroles', {
    metadata: { name: 'reads' },
    rules: [
      {
        apiGroups: ['*'],
        // No subresources, such as pods/portforward.
        resources: ['namespaces', 'pods', 'services', 'nodes', 'networkpolicies', 'replicasets', 'jobs'],
        verbs: ['get', 'list', 'watch'],
      },
      { nonResourceURLs: ['/version', '/api*', '/openapi*'], verbs: ['get'] },
    ],
  })
  const { subject, user } = await other.account('bey', 'default')
  await other.bind('reads', subject)
  await pod('kube-system', 'hubble-relay', 4245, {}, other)
  await other.call('POST', service, relayService(80))
  const id = await importAs(other, 'read-only', user)
  await vi.waitFor(async () => {
    const map = await flowMap(id)
    expect(map).toMatchObject({ observedBy: null, counts: { used: 0, refused: 0 } })
    expect(map.notObserved).toContain('may not forward ports of pods (create and get on pods/portforward)')
    expect(map.edges.every(({ observed }) => observed === null)).toBe(true)
  }, patience)
})
