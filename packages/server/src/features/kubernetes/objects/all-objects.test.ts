import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@bey/sandbox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningApp } from '../testing/running-app.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-all-clusters-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const { given, cluster, call } = await runningApp()
const viewer = await given.user({ role: 'VIEWER' })
const { organizationId } = viewer
const member = await given.user({ role: 'MEMBER', organizationId })
const stranger = await given.user()
const reached = { caPem: sandbox.caPem, token: sandbox.adminToken, impersonate: true }
const prod = await cluster(organizationId, { ...reached, url: sandbox.url })
// Nothing listens on the discard port.
const away = await cluster(organizationId, { ...reached, url: 'https://127.0.0.1:9' })

type Measured = { usage: { measured: { usedBytes: number } | null; unknownReason: string | null } | null }
type Answer = {
  status: number
  body: {
    total: number
    workloads: { name: string; cluster: string; clusterId: number }[]
    objects: ({
      name: string
      cluster: string
      unused: string | null
      health: { state: string } | null
    } & Measured)[]
    counts: Record<string, number>
    columns: { name: string }[]
    namespaces: string[]
    unusedTotal: number
    storage: { capacityBytes: number; unusedBytes: number } | null
    clusters: {
      id: number
      isLive: boolean
      kinds: { name: string; rows: number; bytes: number }[]
    }[]
    quotas: Record<string, { used: number; most: number }>
    unreadable: { id: number; title: string; reason: string }[]
  }
}

async function get(path: string, user = viewer): Promise<Answer> {
  const { token, organizationId: organization } = user
  const reply = await call('GET', `/api/kubernetes${path}`, { token, organizationId: organization })
  // What the test asserts says of what shape it is.
  return { status: reply.status, body: reply.json() as Answer['body'] }
}

async function make(path: string, body: object): Promise<void> {
  const reply = await call('POST', `/api/kubernetes/clusters/${prod.id}/proxy${path}`, {
    token: member.token,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(reply.status, reply.text).toBe(201)
}

beforeAll(async () => {
  const claim = (name: string) => ({
    metadata: { name, ...(name === 'used' && { annotations: { 'sandbox.bey/used': '950Mi' } }) },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  })
  await make('/api/v1/namespaces/default/persistentvolumeclaims', claim('used'))
  await make('/api/v1/namespaces/default/persistentvolumeclaims', claim('forgotten'))
  await make('/api/v1/namespaces/default/pods', {
    metadata: { name: 'database', labels: { app: 'database' } },
    spec: {
      containers: [
        { name: 'c', image: 'busybox', stdin: true, volumeMounts: [{ name: 'data', mountPath: '/data' }] },
      ],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'used' } }],
    },
  })
})

test('workloads of all clusters come in one list, with the clusters that could not be read and why', async () => {
  await expect
    .poll(async () => (await get('/workloads?search=database')).body.workloads, { timeout: 60_000 })
    .toMatchObject([{ name: 'database', cluster: prod.title, clusterId: prod.id }])
  const { status, body } = await get('/workloads')
  expect(status).toBe(200)
  expect(body.clusters).toMatchObject([{ id: prod.id }])
  expect(body.unreadable).toMatchObject([
    { id: away.id, title: away.title, reason: expect.stringContaining('does not answer') },
  ])
  expect(body.namespaces).toEqual(['default'])
})

test('the list is narrowed by cluster, namespace, kind, label and health, and counts what the health leaves out', async () => {
  const { body } = await get('/workloads?namespace=default')
  const total = Object.values(body.counts).reduce((sum, each) => sum + each, 0)
  expect(total).toBe(body.total)
  expect((await get('/workloads?labels=app%3Ddatabase&kind=Pod')).body.total).toBe(1)
  expect((await get('/workloads?labels=app!%3Ddatabase&namespace=default')).body.total).toBe(total - 1)
  expect((await get('/workloads?kind=Deployment&namespace=default')).body.total).toBe(0)
  const none = await get(`/workloads?cluster=${away.id}`)
  expect(none.body).toMatchObject({ total: 0, clusters: [], unreadable: [{ id: away.id }] })
  const narrowed = await get('/workloads?namespace=default&health=unknown')
  expect(narrowed.body.counts).toEqual(body.counts)
})

test('objects of one resource come from all clusters with the columns that they print', async () => {
  const { body } = await get('/objects/services')
  expect(body.columns.map(({ name }) => name)).toContain('Cluster-IP')
  expect(body.objects).toContainEqual(
    expect.objectContaining({ name: 'kubernetes', cluster: prod.title, unused: null }),
  )
  expect(body.unreadable).toMatchObject([{ id: away.id }])
})

test('services have their health, by which they are counted, narrowed and sorted; other objects have none', async () => {
  await make('/api/v1/namespaces/default/services', {
    metadata: { name: 'aaa-front' },
    spec: { type: 'ClusterIP', selector: { app: 'database' }, ports: [{ port: 5432 }] },
  })
  const services = async (query: string) => (await get(`/objects/services${query}`)).body
  await expect
    .poll(async () => (await services('?search=aaa-front')).objects, { timeout: 60_000 })
    .toMatchObject([{ health: { state: 'healthy' } }])
  const { counts, total } = await services('?sort=health')
  expect(counts).toMatchObject({ healthy: total, failing: 0 })
  expect(await services('?health=failing')).toMatchObject({ total: 0, counts })
  const own = `/clusters/${prod.id}/objects/services`
  const { body } = await get(`${own}?sort=health`)
  expect(body.counts).toEqual(counts)
  expect(body.objects).toContainEqual(
    expect.objectContaining({ name: 'aaa-front', health: expect.objectContaining({ state: 'healthy' }) }),
  )
  expect((await get(`${own}?health=failing`)).body.total).toBe(0)
  const claims = (await get('/objects/persistentvolumeclaims')).body
  expect(claims.counts).toBeNull()
  expect(claims.objects.map(({ health }) => health)).toEqual(claims.objects.map(() => null))
})

test('claims that no pod uses are distinguished from those in use', async () => {
  const unused = async (query = '') =>
    Object.fromEntries(
      (await get(`/objects/persistentvolumeclaims${query}`)).body.objects.map((row) => [
        row.name,
        row.unused,
      ]),
    )
  await expect.poll(() => unused(), { timeout: 60_000 }).toEqual({ used: null, forgotten: 'no pod uses it' })
  expect(await unused('?unused=true')).toEqual({ forgotten: 'no pod uses it' })
  const gibibyte = 1024 ** 3
  await expect
    .poll(async () => (await get('/objects/persistentvolumeclaims')).body.storage, { timeout: 60_000 })
    // Nobody waits for the forgotten one, so that no volume was made for it.
    .toMatchObject({ capacityBytes: gibibyte, unusedBytes: 0 })
  expect((await get('/objects/services')).body.storage).toBeNull()
})

const mebibyte = 1024 ** 2

test('what is used inside volumes comes from their nodes, and a claim that nobody mounts says why it is unknown', async () => {
  const rows = async (path: string) => {
    const { objects } = (await get(path)).body
    return Object.fromEntries(objects.map((row) => [row.name, row.usage]))
  }
  const claims = '/objects/persistentvolumeclaims'
  const usedBytes = 950 * mebibyte + 24 * 1024
  await expect
    .poll(async () => (await rows(claims))['used']?.measured, { timeout: 60_000 })
    .toMatchObject({ usedBytes, capacityBytes: 1024 * mebibyte, inodesUsed: expect.any(Number) })
  expect((await rows(claims))['forgotten']).toEqual({
    measured: null,
    unknownReason: 'No running pod mounts it, so no node measures it.',
  })
  // Fullest first; what is not known comes last in either order.
  for (const order of ['asc', 'desc'])
    expect(Object.keys(await rows(`${claims}?sort=usage&order=${order}`))).toEqual(['used', 'forgotten'])
  expect(Object.keys(await rows(`${claims}?nearlyFull=true`))).toEqual(['used'])
  expect((await get(claims)).body.storage).toMatchObject({ usedBytes, measuredTotal: 1, nearlyFullTotal: 1 })
  const volumes = Object.values(await rows('/objects/persistentvolumes'))
  expect(volumes).toMatchObject([{ measured: { usedBytes } }])
  expect(Object.values(await rows('/objects/services'))).toEqual([null, null])

  const own = `/clusters/${prod.id}/objects`
  expect(Object.keys(await rows(`${own}/persistentvolumeclaims?sort=usage&order=desc`))).toEqual([
    'used',
    'forgotten',
  ])
  const page = await get(`${own}/persistentvolumeclaims/default/used`)
  expect((page.body as unknown as Measured).usage?.measured?.usedBytes).toBe(usedBytes)
})

test('Secrets of all clusters are listed to nobody whose role may not read them', async () => {
  expect((await get('/objects/secrets')).status).toBe(403)
  expect((await get('/objects/secrets', member)).status).toBe(200)
})

test('objects are found in all clusters by name and kind, with what they run like', async () => {
  const find = async (search: string, user = viewer) =>
    (await get(`/search?search=${encodeURIComponent(search)}`, user)).body
  await expect
    .poll(async () => (await find('database pod')).objects, { timeout: 60_000 })
    .toMatchObject([
      {
        name: 'database',
        resource: 'pods',
        kind: 'Pod',
        namespace: 'default',
        clusterId: prod.id,
        health: expect.any(Object),
      },
    ])
  // Services are no kind of health: they were opened above, and what is kept of them is searched.
  expect((await find('services kubern')).objects).toMatchObject([{ resource: 'services', health: null }])
  expect((await find('database')).unreadable).toMatchObject([{ id: away.id }])
  expect(await find('database', stranger)).toMatchObject({ objects: [], unreadable: [] })
  expect((await get('/search?search=d')).status).toBe(400)
})

test('names of Secrets are found by nobody whose role may not read them', async () => {
  await make('/api/v1/namespaces/default/secrets', { metadata: { name: 'db-password' } })
  await get('/objects/secrets', member)
  const names = async (user: typeof viewer) =>
    (await get('/search?search=db-password', user)).body.objects.map(({ name }) => name)
  await expect.poll(() => names(member), { timeout: 60_000 }).toEqual(['db-password'])
  expect(await names(viewer)).toEqual([])
})

test('what the server keeps of a cluster is shown with its cost to those who run it', async () => {
  expect((await get('/caches')).status).toBe(403)
  const { body } = await get('/caches', await given.user({ role: 'ADMIN', organizationId }))
  const [kept] = body.clusters.filter(({ id }) => id === prod.id)
  const pods = kept?.kinds.find(({ name }) => name === 'pods')
  expect(pods).toMatchObject({ isLive: true, failure: null, rows: expect.any(Number) })
  expect(pods?.rows).toBeGreaterThan(0)
  expect(pods?.bytes).toBeGreaterThan(100)
  expect(kept?.kinds.map(({ name }) => name)).toContain('rows of services')
  expect(body.quotas.imported).toMatchObject({ most: 200 })
})

test('another organization sees none of it', async () => {
  expect((await get('/workloads', stranger)).body).toMatchObject({ total: 0, clusters: [], unreadable: [] })
  expect((await get(`/workloads?cluster=${prod.id}`, stranger)).body).toMatchObject({ total: 0 })
})
