import type { CallOutput } from '@bey/contract'
import { beforeAll, expect, test, vi } from 'vitest'
import { appWithSandbox } from '../kubernetes/testing/app-with-sandbox.ts'
import { issued, newAuthority, tlsSecret } from './testing/issued.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const patience = { timeout: 60_000, interval: 100 }

const { given, call, kube, connect } = await appWithSandbox()
const viewer = await given.user({ role: 'VIEWER' })
const { organizationId } = viewer
await connect(organizationId)

const group = 'gateway.networking.k8s.io'
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const kindOf = (kind: string, plural: string, version = 'v1') => ({
  metadata: {
    name: `${plural}.${group}`,
    annotations: { 'api-approved.kubernetes.io': 'https://example.org' },
  },
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase() },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } } },
      },
    ],
  },
})
const inEdge = (plural: string) => `/apis/${group}/v1/namespaces/edge/${plural}`
const condition = (type: string, status: string, message = '') => ({
  type,
  status,
  reason: status === 'True' ? type : `Not${type}`,
  message,
  lastTransitionTime: '2026-01-01T00:00:00Z',
})

beforeAll(async () => {
  await kube('POST', '/api/v1/namespaces', { metadata: { name: 'edge' } })
  for (const definition of [
    kindOf('Gateway', 'gateways'),
    kindOf('HTTPRoute', 'httproutes'),
    kindOf('ReferenceGrant', 'referencegrants', 'v1beta1'),
  ])
    await kube('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  await vi.waitFor(() => kube('GET', inEdge('httproutes')), patience)
  const leaf = await issued(await newAuthority(), ['shop.example'], 60)
  await kube('POST', '/api/v1/namespaces/edge/secrets', tlsSecret('edge', leaf))
  await kube('POST', '/api/v1/namespaces/edge/services', {
    metadata: { name: 'web' },
    spec: { selector: { app: 'none' }, ports: [{ port: 80 }] },
  })
  await kube('POST', inEdge('gateways'), {
    apiVersion: `${group}/v1`,
    kind: 'Gateway',
    metadata: { name: 'public' },
    spec: {
      gatewayClassName: 'envoy',
      listeners: [
        { name: 'https', protocol: 'HTTPS', port: 443, tls: { certificateRefs: [{ name: 'edge' }] } },
      ],
    },
    status: {
      addresses: [{ value: '203.0.113.9' }],
      conditions: [condition('Accepted', 'True'), condition('Programmed', 'True')],
      listeners: [{ name: 'https', attachedRoutes: 1, conditions: [condition('Accepted', 'True')] }],
    },
  })
  for (const [name, host, status, message] of [
    ['taken', 'shop.example', 'True', ''],
    ['refused', 'other.example', 'False', 'No listener allows this namespace'],
  ] as const)
    await kube('POST', inEdge('httproutes'), {
      apiVersion: `${group}/v1`,
      kind: 'HTTPRoute',
      metadata: { name },
      spec: {
        hostnames: [host],
        parentRefs: [{ name: 'public' }],
        rules: [{ backendRefs: [{ name: 'web', port: 80 }] }],
      },
      status: {
        parents: [{ parentRef: { name: 'public' }, conditions: [condition('Accepted', status, message)] }],
      },
    })
})

async function list<N extends 'hosts' | 'gateways' | 'certificates'>(name: N) {
  const reply = await call('GET', `/api/ingress/${name}`, { token: viewer.token, organizationId })
  expect(reply.status, reply.text).toBe(200)
  return reply.json() as CallOutput<`ingress.${N}`>
}

test('a gateway says its listeners and which routes it took or refused, and routes are hosts like others', async () => {
  await vi.waitFor(async () => {
    const { gateways } = await list('gateways')
    expect(gateways).toMatchObject([
      {
        name: 'public',
        className: 'envoy',
        addresses: ['203.0.113.9'],
        listeners: [{ name: 'https', port: 443, attachedRoutes: 1, problem: null }],
        health: { state: 'healthy' },
      },
    ])
    expect(gateways[0]?.routes.map(({ name, isAttached }) => `${name} ${isAttached}`).toSorted()).toEqual([
      'refused false',
      'taken true',
    ])
  }, patience)
  const { hosts } = await list('hosts')
  const refused = hosts.find(({ host }) => host === 'other.example')
  expect(refused?.routes[0]?.health.detail).toBe(
    'The gateway public refuses it: No listener allows this namespace',
  )
  const taken = hosts.find(({ host }) => host === 'shop.example')
  expect(taken).toMatchObject({ addresses: ['203.0.113.9'], tls: 'certificate', ready: 0, total: 0 })
  const { certificates } = await list('certificates')
  expect(certificates).toMatchObject([
    {
      name: 'edge',
      state: 'valid',
      usedBy: [{ kind: 'Gateway', namespace: 'edge', name: 'public' }],
      health: { state: 'failing', reason: 'CertificateWrongName' },
    },
  ])
})

test('a gateway is a resource with the certificates that it presents and the services that its routes lead to', async () => {
  const read = async (path: string) => {
    const reply = await call('GET', path, { token: viewer.token, organizationId })
    expect(reply.status, reply.text).toBe(200)
    // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a reply is its own claim
    return reply.json() as any
  }
  const { resources } = await read('/api/resources?query=kind:gateway')
  expect(resources).toMatchObject([{ name: 'public', namespace: 'edge', health: { state: 'healthy' } }])
  expect(resources[0].href).toContain('/objects/gateways.gateway.networking.k8s.io/edge/public')
  const { needs } = await read(`/api/relations/of?id=${resources[0].id}`)
  expect(needs.map(({ name, verb }: { name: string; verb: string }) => `${verb} ${name}`).toSorted()).toEqual(
    ['belongs_to edge', 'presents edge', 'routes_to web'],
  )
})

test('a route leads into another namespace only where a ReferenceGrant there permits it', async () => {
  const grants = `/apis/${group}/v1beta1/namespaces/data/referencegrants`
  await kube('POST', '/api/v1/namespaces', { metadata: { name: 'data' } })
  await kube('POST', '/api/v1/namespaces/data/services', {
    metadata: { name: 'orders' },
    spec: { selector: { app: 'none' }, ports: [{ port: 80 }] },
  })
  await kube('POST', inEdge('httproutes'), {
    apiVersion: `${group}/v1`,
    kind: 'HTTPRoute',
    metadata: { name: 'crossing' },
    spec: {
      hostnames: ['orders.example'],
      parentRefs: [{ name: 'public' }],
      rules: [{ backendRefs: [{ name: 'orders', namespace: 'data', port: 80 }] }],
    },
  })
  const backend = async () =>
    (await list('hosts')).hosts.find(({ host }) => host === 'orders.example')?.routes[0]?.backends[0]
  await vi.waitFor(
    async () =>
      expect(await backend()).toMatchObject({
        text: 'No ReferenceGrant in data lets HTTPRoutes of edge lead to data/orders.',
        health: { state: 'failing', reason: 'RefNotPermitted' },
      }),
    patience,
  )
  const grant = (from: string, service: string) => ({
    apiVersion: `${group}/v1beta1`,
    kind: 'ReferenceGrant',
    metadata: { name: `${from}-${service}` },
    spec: {
      from: [{ group, kind: 'HTTPRoute', namespace: from }],
      to: [{ group: '', kind: 'Service', name: service }],
    },
  })
  // Grants for another namespace and for another service open nothing.
  await kube('POST', grants, grant('shop', 'orders'))
  await kube('POST', grants, grant('edge', 'other'))
  expect(await backend()).toMatchObject({ health: { reason: 'RefNotPermitted' } })
  await kube('POST', grants, grant('edge', 'orders'))
  await vi.waitFor(
    async () => expect(await backend()).toMatchObject({ text: 'No pod is behind data/orders.' }),
    patience,
  )
})
