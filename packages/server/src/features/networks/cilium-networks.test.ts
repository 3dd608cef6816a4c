import { expect, test, vi } from 'vitest'
import { appWithSandbox } from '../kubernetes/testing/app-with-sandbox.ts'

// Networks that are kept as CiliumNetworkPolicies, in a sandbox that serves the kind and enforces none of it.

const { given, call, kube, connect } = await appWithSandbox()
const { organizationId, token } = await given.user({ role: 'OWNER' })
const prod = await connect(organizationId)

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a reply is its own claim
type Json = Record<string, any>
async function ask(method: string, path: string, body?: object) {
  const reply = await call(method, `/api/networks${path}`, {
    token,
    organizationId,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  return { status: reply.status, text: reply.text, body: (reply.text ? reply.json() : {}) as Json }
}
const until = (claim: () => Promise<void>) => vi.waitFor(claim, { timeout: 60_000, interval: 50 })
const reaches = (id: string, state: object) =>
  until(async () => expect((await ask('GET', `/${id}`)).body).toMatchObject(state))

const definition = {
  metadata: { name: 'ciliumnetworkpolicies.cilium.io' },
  spec: {
    group: 'cilium.io',
    scope: 'Namespaced',
    names: {
      kind: 'CiliumNetworkPolicy',
      plural: 'ciliumnetworkpolicies',
      singular: 'ciliumnetworkpolicy',
    },
    versions: [
      {
        name: 'v2',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    ],
  },
}
const namespaced = '/apis/cilium.io/v2/namespaces/shop/ciliumnetworkpolicies'
const place = `${namespaced}/bey-shop`
const standard = '/apis/networking.k8s.io/v1/namespaces/shop/networkpolicies/bey-shop'
const spec = {
  endpointSelector: {},
  ingress: [
    {
      fromEndpoints: [
        {
          matchExpressions: [{ key: 'k8s:io.kubernetes.pod.namespace', operator: 'In', values: ['shop'] }],
        },
      ],
    },
    { fromCIDR: ['10.88.0.0/16'] },
  ],
}

test('a network is kept as CiliumNetworkPolicies where a cluster has them, with drift, and changes its kind without a gap', async () => {
  await kube('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } })
  await kube('POST', '/api/v1/namespaces/shop/pods', {
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] }] },
  })
  const draft = {
    cidr: '10.88.0.0/16',
    isIsolated: true,
    policyKind: 'CiliumNetworkPolicy',
    attachments: [{ kind: 'namespace', clusterId: prod.id, namespace: 'shop' }],
  }
  const plan = await ask('POST', '/plan', { ...draft, name: 'shop' })
  expect(plan.body['unread'], 'without Cilium').toEqual([
    expect.objectContaining({ reason: expect.stringContaining('This cluster has no CiliumNetworkPolicy.') }),
  ])
  const made = await ask('POST', '', { ...draft, name: 'shop' })
  expect(made.status, made.text).toBe(201)
  const id = made.body['id'] as string
  await reaches(id, { status: 'error', reason: expect.stringContaining('install Cilium') })

  await kube('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  await until(async () => void (await kube('GET', namespaced)))
  expect((await ask('POST', `/${id}/apply`)).status).toBe(202)
  await reaches(id, { status: 'active', policyCount: 1 })
  expect(await kube('GET', place)).toMatchObject({ spec })

  const opened = { endpointSelector: {}, ingress: [{ fromEntities: ['all'] }] }
  await kube('PUT', place, { ...((await kube('GET', place)) as object), spec: opened })
  await reaches(id, { status: 'degraded', driftCount: 1 })
  const { policies } = (await ask('GET', `/${id}/policies`)).body
  expect(policies).toMatchObject([
    { kind: 'CiliumNetworkPolicy', state: 'changed', found: expect.stringContaining('all') },
  ])
  const taken = await ask('GET', `/${id}/policies/${policies[0].id}/take-over`)
  expect(taken.body['refusal'], taken.text).toMatchObject({
    reason: expect.stringContaining('the isolation of the network'),
  })
  // What putting it right would end is worked out for this kind too, and the definition changes nothing else.
  const change = { kind: 'CiliumNetworkPolicy', namespace: 'shop', name: 'bey-shop' }
  const asked = async (spec_: object) => {
    const body = JSON.stringify({ changes: [{ ...change, spec: spec_ }] })
    const headers = { 'content-type': 'application/json' }
    const path = `/api/kubernetes/clusters/${prod.id}/reachability/what-if`
    const reply = await call('POST', path, { token, organizationId, headers, body })
    expect(reply.status, reply.text).toBe(200)
    return reply.json() as Json
  }
  await until(async () => expect(await asked(opened)).toMatchObject({ endCount: 0, beginCount: 0 }))
  const { endCount, problems } = await asked(policies[0].spec)
  expect([endCount > 0, problems]).toEqual([true, []])
  expect((await ask('POST', `/${id}/apply`)).status).toBe(202)
  await reaches(id, { status: 'active', driftCount: 0 })
  expect(await kube('GET', place)).toMatchObject({ spec })

  // A rule that was added by hand to the policy of a group becomes a rule of the group.
  const group = await ask('POST', `/${id}/groups`, {
    name: 'web',
    filtersIn: true,
    filtersOut: false,
    rules: [],
    targets: [{ clusterId: prod.id, namespace: 'shop', labels: { app: 'web' } }],
  })
  expect(group.status, group.text).toBe(201)
  await reaches(id, { status: 'active', policyCount: 2 })
  const ofGroup = `${namespaced}/bey-shop-web`
  const edited = {
    endpointSelector: { matchLabels: { app: 'web' } },
    ingress: [{ fromCIDR: ['203.0.113.0/24'], toPorts: [{ ports: [{ port: '443', protocol: 'TCP' }] }] }],
  }
  await kube('PUT', ofGroup, { ...((await kube('GET', ofGroup)) as object), spec: edited })
  await reaches(id, { status: 'degraded', driftCount: 1 })
  const drifted = (await ask('GET', `/${id}/policies`)).body['policies'].find(
    ({ state }: Json) => state === 'changed',
  )
  const takeOver = `/${id}/policies/${drifted.id}/take-over`
  const planned = (await ask('GET', takeOver)).body
  expect(planned['group'], JSON.stringify(planned)).toMatchObject({
    after: { rules: [{ protocol: 'tcp', ports: ['443'], peer: { kind: 'range', cidr: '203.0.113.0/24' } }] },
  })
  const { found, group: before } = planned
  const started = await ask('POST', takeOver, { found, version: before.version })
  expect(started.status, started.text).toBe(202)
  await reaches(id, { status: 'active', driftCount: 0 })
  expect(await kube('GET', ofGroup)).toMatchObject({ spec: edited })
  const removed = await ask('DELETE', `/${id}/groups/${before.id}`)
  expect(removed.status, removed.text).toBeLessThan(300)
  await reaches(id, { status: 'active', policyCount: 1 })

  const changed = await ask('PATCH', `/${id}`, { policyKind: 'NetworkPolicy' })
  expect(changed.status, changed.text).toBe(200)
  await reaches(id, { status: 'active', policyCount: 1, policyKind: 'NetworkPolicy' })
  expect(await kube('GET', standard)).toMatchObject({ spec: { policyTypes: ['Ingress'] } })
  expect(await kube('GET', namespaced)).toMatchObject({ items: [] })
}, 120_000)
