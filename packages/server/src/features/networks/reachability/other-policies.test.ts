import type { CallOutput } from '@bey/contract'
import { afterAll, expect, test } from 'vitest'
import { fakeCluster } from '../../kubernetes/testing/fake-cluster.ts'
import { runningApp } from '../../kubernetes/testing/running-app.ts'

const fake = await fakeCluster()
afterAll(() => fake.stop())
const { given, cluster, call } = await runningApp()
const viewer = await given.user({ role: 'VIEWER' })
const timeout = 60_000

const [adminApi, ciliumApi] = ['/apis/policy.networking.k8s.io/v1alpha1', '/apis/cilium.io/v2']
/** What the cluster answers by path; 404 where nothing stands here, as one that does not serve a group. */
const replies = new Map<string, { status: number; body: object }>()
fake.answer = (request, response) => {
  const path = request.url?.split('?')[0] ?? ''
  if (!path.startsWith(adminApi) && !path.startsWith(ciliumApi)) return false
  const { status, body } = replies.get(path) ?? { status: 404, body: {} }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  return true
}
const serves = (api: string, ...plurals: string[]) =>
  replies.set(api, { status: 200, body: { resources: plurals.map((name) => ({ name })) } })
const lists = (path: string, ...items: object[]) => replies.set(path, { status: 200, body: { items } })

const labels = { 'kubernetes.io/metadata.name': 'shop' }
fake.put('/api/v1/nodes', { metadata: { name: 'n1' } })
fake.put('/api/v1/namespaces', { metadata: { name: 'shop', labels } } as never)
for (const [name, podIP] of [
  ['web', '10.0.0.1'],
  ['search', '10.0.0.2'],
] as const)
  fake.put('/api/v1/pods', {
    metadata: { name, namespace: 'shop', uid: name, labels: { app: name } },
    spec: { nodeName: 'n1' },
    status: { phase: 'Running', podIP },
  } as never)

test('policies of administrators and of Cilium decide where a cluster serves them, and unread ones are named', async () => {
  const { id } = await cluster(viewer.organizationId, fake.connection)
  const check = async () => {
    const query = 'from=pod:shop/search&to=pod:shop/web&port=80'
    const reply = await call('GET', `/api/kubernetes/clusters/${id}/reachability/check?${query}`, viewer)
    return reply.json() as CallOutput<'networks.reachability.check'>
  }
  const answers = (claim: object) => expect.poll(check, { timeout }).toMatchObject(claim)
  await answers({ answer: 'yes', policies: 0, doubt: null })

  const everything = { namespaces: {} }
  serves(adminApi, 'adminnetworkpolicies', 'baselineadminnetworkpolicies')
  lists(`${adminApi}/baselineadminnetworkpolicies`)
  lists(`${adminApi}/adminnetworkpolicies`, {
    metadata: { name: 'closed' },
    spec: {
      priority: 5,
      subject: everything,
      ingress: [{ name: 'nobody', action: 'Deny', from: [everything] }],
    },
  })
  await answers({ answer: 'no', policies: 1 })
  expect((await check()).gates.at(-1)?.rule).toMatchObject({ kind: 'AdminNetworkPolicy', name: 'closed' })

  // What may not be read any more leaves the last that was known, and nothing is certain.
  replies.set(`${adminApi}/adminnetworkpolicies`, { status: 403, body: {} })
  await answers({ answer: 'unknown', doubt: expect.stringContaining('AdminNetworkPolicies') })
  expect((await check()).gates.at(-1)?.state).toBe('closed')

  lists(`${adminApi}/adminnetworkpolicies`)
  serves(ciliumApi, 'ciliumnetworkpolicies', 'ciliumclusterwidenetworkpolicies')
  lists(`${ciliumApi}/ciliumclusterwidenetworkpolicies`)
  lists(`${ciliumApi}/ciliumnetworkpolicies`, {
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      endpointSelector: { matchLabels: { app: 'web' } },
      ingressDeny: [{ fromEndpoints: [{ matchLabels: { app: 'search' } }] }],
    },
  })
  await answers({ answer: 'no', policies: 1, doubt: null })
  expect((await check()).gates.at(-1)?.rule).toMatchObject({ kind: 'CiliumNetworkPolicy', namespace: 'shop' })
}, 120_000)
