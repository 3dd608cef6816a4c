import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FlowMap } from '@bey/contract'
import { startSandbox } from '@bey/sandbox'
import { afterAll, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { fakeCluster } from '../../kubernetes/testing/fake-cluster.ts'
import { runningApp } from '../../kubernetes/testing/running-app.ts'
import { sandboxCalls } from '../../kubernetes/testing/sandbox-calls.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const patience = { timeout: 60_000, interval: 50 }
const home = await mkdtemp(join(tmpdir(), 'bey-flows-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
const other = await fakeCluster()
afterAll(async () => {
  await other.stop()
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const kube = sandboxCalls(sandbox)
const { given, cluster, call } = await runningApp()
const viewer = await given.user({ role: 'VIEWER' })
const { url, caPem, adminToken: token } = sandbox

async function mapOf(clusterId: number, query: string): Promise<FlowMap> {
  const { organizationId } = viewer
  const path = `/api/kubernetes/clusters/${clusterId}/reachability/flows?${query}`
  const reply = await call('GET', path, { token: viewer.token, organizationId })
  expect(reply.status, reply.text).toBe(200)
  return reply.json() as FlowMap
}

/** Has BusyBox's nc in one pod try a port of another. */
function tries(namespace: string, pod: string, address: string, port: number): Promise<void> {
  const words = ['nc', '-z', '-w', '1', address, String(port)].map((word) => `command=${word}`)
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/exec?${words.join('&')}&stdout=true&stderr=true`
  const socket = new WebSocket(`${url.replace('https', 'wss')}${path}`, ['v5.channel.k8s.io'], {
    ca: caPem,
    headers: { authorization: `Bearer ${token}` },
  })
  return new Promise((done, fail) => {
    socket.on('close', () => done())
    socket.on('error', fail)
  })
}

test('a sandbox tells which ways are used and which are refused, beside what its policies say', async () => {
  const ips = new Map<string, string>()
  for (const namespace of ['shop', 'data', 'debug']) {
    await kube('POST', '/api/v1/namespaces', { metadata: { name: namespace } })
    await kube('POST', `/api/v1/namespaces/${namespace}/pods`, {
      metadata: { name: 'app', labels: { app: namespace } },
      spec: {
        containers: [
          {
            name: 'main',
            image: 'busybox',
            command: ['sleep', 'infinity'],
            ports: [{ containerPort: 5432 }],
          },
        ],
      },
    })
    await vi.waitFor(async () => {
      const pod = (await kube('GET', `/api/v1/namespaces/${namespace}/pods/app`)) as {
        status: { phase: string; podIP: string }
      }
      expect(pod.status.phase).toBe('Running')
      ips.set(namespace, pod.status.podIP)
    }, patience)
  }
  const from = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } } }]
  await kube('POST', '/apis/networking.k8s.io/v1/namespaces/data/networkpolicies', {
    metadata: { name: 'only-shop' },
    spec: { podSelector: {}, ingress: [{ from, ports: [{ port: 5432 }] }] },
  })
  const { id } = await cluster(viewer.organizationId, { url, caPem, token, impersonate: true })
  const target = ips.get('data') ?? ''
  await tries('shop', 'app', target, 5432)
  await tries('shop', 'app', target, 5432)
  await tries('debug', 'app', target, 5432)
  await vi.waitFor(async () => {
    const map = await mapOf(id, 'open=data')
    const way = (source: string) =>
      map.edges.find(({ from: one, to }) => one === source && to === 'workload:data/Pod/app')
    expect(map).toMatchObject({ observedBy: 'sandbox', notObserved: null, doubt: null, policies: 1 })
    expect(way('namespace:shop')).toMatchObject({
      state: 'used',
      policy: 'open',
      ports: [{ protocol: 'TCP', port: 5432, policy: 'open' }],
      observed: { passed: 2, dropped: 0 },
    })
    expect(way('namespace:debug')).toMatchObject({
      state: 'refused',
      policy: 'closed',
      observed: { passed: 0, dropped: 1 },
    })
    // Closed, and nobody tried: only where it is asked for.
    expect(way('address:0.0.0.0/0')).toBeUndefined()
  }, patience)
  const { edges } = await mapOf(id, 'open=data&state=denied&namespace=data')
  expect(edges.map(({ from: source }) => source)).toContain('address:0.0.0.0/0')
  expect((await mapOf(id, 'by=workload')).nodes.map(({ id: each }) => each)).toContain(
    'workload:shop/Pod/app',
  )
})

test('a cluster that reports no connections says so, and counts none as used or unused', async () => {
  other.answer = (request, response) => {
    if (!request.url?.startsWith('/sandbox/')) return false
    response.writeHead(404).end()
    return true
  }
  other.put('/api/v1/nodes', { metadata: { name: 'n1' } })
  other.put('/api/v1/namespaces', { metadata: { name: 'shop' } })
  const pod = {
    metadata: { name: 'web', namespace: 'shop', uid: 'web', labels: {} },
    spec: { nodeName: 'n1' },
    status: { phase: 'Running', podIP: '10.0.0.1' },
  }
  other.put('/api/v1/pods', pod)
  const { id } = await cluster(viewer.organizationId, other.connection)
  await vi.waitFor(async () => {
    const map = await mapOf(id, '')
    expect(map).toMatchObject({
      observedBy: null,
      notObserved: 'This cluster reports no connections. Sandboxes and clusters with Hubble Relay do.',
      counts: { used: 0, refused: 0 },
    })
    expect(map.edges.length).toBeGreaterThan(0)
    expect(map.edges.every(({ observed }) => observed === null)).toBe(true)
  }, patience)
})
