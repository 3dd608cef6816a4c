import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { fakeCluster } from '../testing/fake-cluster.ts'
import { runningApp } from '../testing/running-app.ts'

/** A cluster that is there, is read everywhere, and then stops. */
const fake = await fakeCluster()
afterAll(() => fake.stop())
const { given, cluster, call } = await runningApp()
const owner = await given.user()
const { id, title } = await cluster(owner.organizationId, fake.connection)

const widgets = '/apis/example.org/v1/widgets'
const secret = '/apis/example.org/v1/locks'
const served = (resource: string, kind: string) => ({
  resource,
  responseKind: { kind, group: 'example.org', version: 'v1' },
  scope: 'Namespaced',
  verbs: ['get', 'list', 'watch'],
})
const groups = (items: object[]) => ({ kind: 'APIGroupDiscoveryList', items })
const discovery: Record<string, object> = {
  '/api': groups([]),
  '/apis': groups([
    {
      metadata: { name: 'example.org' },
      versions: [{ version: 'v1', resources: [served('widgets', 'Widget'), served('locks', 'Lock')] }],
    },
  ]),
}
fake.answer = (request: IncomingMessage, response: ServerResponse) => {
  const { pathname } = new URL(request.url ?? '', fake.connection.url)
  const body = discovery[pathname]
  if (!body && !pathname.startsWith(secret)) return false
  response.writeHead(body ? 200 : 403, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body ?? {}))
  return true
}
const named = (name: string) => ({ metadata: { name, namespace: 'shop', uid: name } })
fake.put('/api/v1/pods', named('web'))
fake.put('/api/v1/nodes', { metadata: { name: 'n1' } })
fake.put('/api/v1/namespaces', { metadata: { name: 'shop' } })
fake.put('/api/v1/events', named('event'))
fake.put(widgets, named('widget'))

const get = (path: string) => call('GET', path, owner).then((reply) => reply.json())
const ofCluster = `/api/kubernetes/clusters/${id}`
const lists = [
  ...['overview', 'pods', 'nodes', 'namespaces', 'events', 'workloads', 'objects/widgets.example.org'].map(
    (name) => `${ofCluster}/${name}`,
  ),
  '/api/kubernetes/workloads',
  '/api/kubernetes/objects/widgets.example.org',
]
const state = async (path: string) => {
  const { isLive, noAnswerSince } = await get(path)
  return { isLive, isSilent: noAnswerSince !== null && noAnswerSince !== undefined }
}
const code = async (path: string) => (await get(path))['code']
const isShown = expect.objectContaining({ isLive: true, isSilent: false })

test('every answer about a cluster says that it does not answer, and says otherwise once it does', async () => {
  for (const path of lists) await expect.poll(() => state(path), { timeout: 60_000 }).toEqual(isShown)
  const empty = '/api/kubernetes/clusters/' + String(id) + '/workloads?kind=CronJob'
  expect(await get(empty)).toMatchObject({ total: 0, isPartial: false, isLive: true })
  expect(await code(`${ofCluster}/objects/locks.example.org`)).toBe('cluster_forbidden')

  await fake.stop()
  for (const path of lists)
    await expect.poll(() => state(path), { timeout: 60_000 }).toEqual({ isLive: false, isSilent: true })
  // What is empty, what is forbidden and what is not there stay what they are.
  expect(await get(empty)).toMatchObject({ total: 0, isPartial: false, isLive: false })
  expect(await code(`${ofCluster}/objects/locks.example.org`)).toBe('cluster_forbidden')
  expect(await code(`${ofCluster}/objects/nothing.example.org`)).toBe('not_found')
  expect(await code(`${ofCluster}/objects/widgets.example.org/shop/widget`)).toBe('cluster_unreachable')
  expect(await get('/api/kubernetes/workloads')).toMatchObject({
    workloads: [{ name: 'web', health: { state: 'unknown', reason: 'Unreachable' } }],
    clusters: [{ id, noAnswerSince: expect.any(String) }],
  })
  await expect
    .poll(() => get(`/api/kubernetes/clusters/${id}`))
    .toMatchObject({
      reachability: { state: 'unreachable', since: expect.any(String) },
      health: { state: 'unknown', reason: 'Unreachable' },
    })
  const { summary, attention, unreachableClusters, asOf } = await get('/api/analytics/dashboard')
  expect(summary).toMatchObject({ state: 'unknown', text: `1 cluster does not answer: ${title}` })
  expect(attention).toMatchObject({ items: [{ kind: 'Cluster', name: title }] })
  expect(unreachableClusters).toMatchObject([
    { id, reason: 'It does not answer: the connection was refused.', since: expect.any(String) },
  ])
  expect(asOf).toEqual(expect.any(String))

  await fake.start()
  for (const path of lists) await expect.poll(() => state(path), { timeout: 60_000 }).toEqual(isShown)
  expect(await code(`${ofCluster}/objects/locks.example.org`)).toBe('cluster_forbidden')
  await expect
    .poll(() => get(`/api/kubernetes/clusters/${id}`))
    .toMatchObject({ reachability: { state: 'reachable' } })
}, 120_000)
