import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { fakeCluster } from '../testing/fake-cluster.ts'
import { runningApp } from '../testing/running-app.ts'

/** A cluster whose lists are longer than a page, and whose pages after the first come when the test wants. */
const count = 600
const slow = await fakeCluster()
afterAll(() => slow.stop())
const { given, cluster, call } = await runningApp()
const viewer = await given.user({ role: 'VIEWER' })
const { id } = await cluster(viewer.organizationId, slow.connection)
const rest = Promise.withResolvers<void>()
afterAll(() => rest.resolve())

const metadata = (name: string, namespace = '') => ({
  name,
  uid: `${namespace}/${name}`,
  ...(namespace && { namespace }),
  creationTimestamp: '2026-01-01T00:00:00Z',
})
const numbered = (make: (index: number) => object) => Array.from({ length: count }, (_, index) => make(index))
const ready = { conditions: [{ type: 'Ready', status: 'True' }] }
const lists: Record<string, object[]> = {
  '/api/v1/nodes': numbered((index) => ({ metadata: metadata(`node-${index}`), status: ready })),
  '/api/v1/namespaces': numbered((index) => ({ metadata: metadata(`space-${index}`) })),
  '/api/v1/pods': numbered((index) => ({
    // In the order of a cluster, which is not that of the list.
    metadata: metadata(`web-${count - index}`, 'default'),
    spec: { nodeName: 'node-1', containers: [] },
    status: { phase: 'Running' },
  })),
  '/apis/apps/v1/deployments': numbered((index) => ({ metadata: metadata(`shop-${index}`, 'default') })),
  '/api/v1/events': numbered((index) => ({
    metadata: metadata(`event-${index}`, 'default'),
    reason: `R${index}`,
    lastTimestamp: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
    involvedObject: { kind: 'Pod', name: `web-${index}` },
  })),
  '/apis/example.org/v1/widgets': numbered((index) => ({ metadata: metadata(`widget-${index}`, 'default') })),
}
const discovery: Record<string, object> = {
  '/api': groups('', ['pods', 'Pod'], ['events', 'Event']),
  '/apis': groups('example.org', ['widgets', 'Widget']),
}

function groups(name: string, ...resources: [plural: string, kind: string][]) {
  const served = resources.map(([resource, kind]) => ({
    resource,
    responseKind: { kind, group: name, version: 'v1' },
    scope: 'Namespaced',
    verbs: ['get', 'list', 'watch'],
  }))
  const versions = [{ version: 'v1', resources: served }]
  return { kind: 'APIGroupDiscoveryList', items: [{ metadata: { name }, versions }] }
}

slow.answer = (request: IncomingMessage, response: ServerResponse) => {
  const url = new URL(request.url ?? '', slow.connection.url)
  const send = (body: object) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const items = lists[url.pathname]
  if (url.pathname === '/api/v1/namespaces/default/pods/web-599') {
    send({ kind: 'Pod', metadata: metadata('web-599', 'default') })
  } else if (
    url.searchParams.get('fieldSelector') === 'involvedObject.kind=Pod,involvedObject.name=web-599'
  ) {
    send({ kind: 'EventList', metadata: {}, items: lists['/api/v1/events']?.slice(599) })
  } else if (discovery[url.pathname]) send(discovery[url.pathname] ?? {})
  else if (!items || url.searchParams.has('watch')) return false
  else {
    const from = Number(url.searchParams.get('continue') ?? 0)
    const left = items.length - from - 500
    const more = left > 0 && { continue: String(from + 500), remainingItemCount: left }
    const page = {
      kind: 'List',
      metadata: { resourceVersion: '1', ...more },
      items: items.slice(from, from + 500),
    }
    if (from === 0) send(page)
    else void rest.promise.then(() => send(page))
  }
  return true
}

type Rows = { name: string; reason: string; health: { state: string } }[]
type Page = { isPartial: boolean; isLive: boolean; total: number } & Record<string, unknown>

async function get(path: string): Promise<Page> {
  const reply = await call('GET', `/api/kubernetes${path}`, viewer)
  expect(reply.status, reply.text).toBe(200)
  return reply.json() as Page
}
const rowsOf = (page: Page, key: string) => page[key] as Rows
const ofCluster = `/clusters/${id}`

test.each([
  { path: `${ofCluster}/pods`, rows: 'pods', first: { name: 'web-101' } },
  { path: `${ofCluster}/nodes`, rows: 'nodes', first: { name: 'node-0' } },
  { path: `${ofCluster}/namespaces`, rows: 'namespaces', first: { name: 'space-0' } },
  { path: `${ofCluster}/events`, rows: 'events', first: { reason: 'R499' } },
  { path: `${ofCluster}/workloads`, rows: 'workloads', first: { name: 'shop-0', kind: 'Deployment' } },
  { path: `${ofCluster}/objects/widgets.example.org`, rows: 'objects', first: { name: 'widget-0' } },
  { path: '/workloads?sort=name', rows: 'workloads', first: { name: 'shop-0', kind: 'Deployment' } },
  { path: '/objects/widgets.example.org', rows: 'objects', first: { name: 'widget-0' } },
])('$path answers its first reader with what has been read of a long list', async ({ path, rows, first }) => {
  const page = await get(path)
  expect(page).toMatchObject({ isPartial: true })
  expect(rowsOf(page, rows)[0]).toMatchObject(first)
})

test('the total counts what is still to be read, and pods have the health that is known of them', async () => {
  const page = await get(`${ofCluster}/pods`)
  expect(page).toMatchObject({ total: count, isLive: false })
  expect(new Set(rowsOf(page, 'pods').map(({ health }) => health.state))).not.toContain('unknown')
  // A deployment that owns a pod may not have been read: no pod counts as one that nothing keeps.
  expect(await get(`${ofCluster}/workloads?kind=Pod`)).toMatchObject({ total: 0, isPartial: true })
})

test('a filter counts what it found in the part that has been read', async () => {
  // web-599, web-590 to web-598 and so on are there; web-5, web-50 to web-59 are not.
  expect(await get(`${ofCluster}/pods?search=web-5`)).toMatchObject({ total: 100, isPartial: true })
})

test('the overview of a part says which kinds have not been read yet', async () => {
  const overview = await get(`${ofCluster}/overview`)
  expect(overview).toMatchObject({ isLive: false, nodes: { total: 500 } })
  const { kinds } = overview['unreadable'] as { kinds: string[] }
  expect(kinds).toEqual(expect.arrayContaining(['nodes', 'pods', 'deployments']))
})

test('the page of an object shows its own events although the cache reads all of them still', async () => {
  const { events } = await get(`${ofCluster}/objects/pods/default/web-599`)
  expect(events).toMatchObject([{ reason: 'R599' }])
})

test('once the rest has been read, lists are whole', async () => {
  rest.resolve()
  const whole = (path: string) => expect.poll(() => get(path), { timeout: 60_000 })
  await whole(`${ofCluster}/pods?search=web-5`).toMatchObject({ total: 111, isPartial: false, isLive: true })
  await whole(`${ofCluster}/events`).toMatchObject({ total: count, isPartial: false })
  await whole(`${ofCluster}/objects/widgets.example.org`).toMatchObject({ total: count, isPartial: false })
  await whole('/workloads').toMatchObject({ isPartial: false })
})
