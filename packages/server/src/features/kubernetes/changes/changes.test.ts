import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { actorText, type ChangeEntry, type ObjectVersion } from '@bey/contract'
import { startSandbox } from '@bey/sandbox'
import { afterAll, expect, test, vi } from 'vitest'
import type { GivenUser } from '../../../testing/given.ts'
import { runningApp } from '../testing/running-app.ts'
import { sandboxCalls } from '../testing/sandbox-calls.ts'
import { trimClusterBytes } from './version-store.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-changes-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const { app, given, cluster, call } = await runningApp()
const owner = await given.user({ role: 'OWNER' })
const { organizationId } = owner
const viewer = await given.user({ role: 'VIEWER', organizationId })
const stranger = await given.user()
const prod = await cluster(organizationId, {
  url: sandbox.url,
  caPem: sandbox.caPem,
  token: sandbox.adminToken,
  impersonate: true,
})
const kube = sandboxCalls(sandbox)
const at = (rest: string) => `/api/kubernetes/clusters/${prod.id}${rest}`
const as = (user: GivenUser) => ({ token: user.token, organizationId: user.organizationId })
const patience = { timeout: 60_000, interval: 100 }

async function versions(address: string, user = owner): Promise<ObjectVersion[]> {
  const reply = await call('GET', at(`/history/${address}`), as(user))
  expect(reply.status, reply.text).toBe(200)
  return (reply.json() as { versions: ObjectVersion[] }).versions
}
const changesOf = (address: string) => async () => (await versions(address)).map(({ change }) => change)

async function timeline(
  query = '',
  user = owner,
): Promise<{ changes: ChangeEntry[]; knownSince: string; isComplete: boolean }> {
  const from = new Date(Date.now() - 600_000).toISOString()
  const to = new Date(Date.now() + 60_000).toISOString()
  const reply = await call('GET', at(`/changes?from=${from}&to=${to}${query}`), as(user))
  expect(reply.status, reply.text).toBe(200)
  return reply.json() as never
}

const configMaps = '/api/v1/namespaces/default/configmaps'
const merge = 'application/merge-patch+json'

test('what is there when Bey first looks is found, not created', async () => {
  // The namespaces of a new cluster are there before anything else is recorded.
  await expect.poll(changesOf('namespaces/-/default'), { ...patience, timeout: 60_000 }).toEqual(['found'])
  await expect.poll(changesOf('configmaps/default/kube-root-ca.crt'), patience).toEqual(['found'])
})

test('each change of an object is kept with what it was before, until it is deleted', async () => {
  await kube('POST', configMaps, { metadata: { name: 'settings' }, data: { mode: 'slow' } })
  await expect.poll(changesOf('configmaps/default/settings'), patience).toEqual(['created'])
  await kube('PATCH', `${configMaps}/settings`, { data: { mode: 'fast' } }, merge)
  await expect.poll(changesOf('configmaps/default/settings'), patience).toEqual(['updated', 'created'])
  const [newest] = await versions('configmaps/default/settings')
  const version = (await call('GET', at(`/versions/${newest?.id}`), as(viewer))).json()
  expect(version).toMatchObject({
    object: { data: { mode: 'fast' } },
    before: { data: { mode: 'slow' } },
    ref: { resource: 'configmaps', kind: 'ConfigMap', namespace: 'default', name: 'settings' },
  })
  await kube('DELETE', `${configMaps}/settings`)
  await expect
    .poll(changesOf('configmaps/default/settings'), patience)
    .toEqual(['deleted', 'updated', 'created'])
  const foreign = await call(
    'GET',
    `/api/kubernetes/clusters/${prod.id}/versions/${newest?.id}`,
    as(stranger),
  )
  expect(foreign.status).toBe(404)
})

test('a status that changes is no change, and a Secret is never kept', async () => {
  await kube('POST', '/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'web' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image: 'nginx:1' }] },
      },
    },
  })
  await kube('POST', '/api/v1/namespaces/default/secrets', {
    metadata: { name: 's' },
    stringData: { a: 'canary-value' },
  })
  await expect.poll(changesOf('deployments.apps/default/web'), patience).toEqual(['created'])
  await expect
    .poll(
      async () =>
        (
          (await kube('GET', '/apis/apps/v1/namespaces/default/deployments/web'))['status'] as Record<
            string,
            unknown
          >
        )['availableReplicas'],
      patience,
    )
    .toBe(1)
  await kube('PATCH', '/apis/apps/v1/namespaces/default/deployments/web', { spec: { replicas: 2 } }, merge)
  await expect.poll(changesOf('deployments.apps/default/web'), patience).toEqual(['updated', 'created'])
  expect(await versions('secrets/default/s')).toEqual([])
  expect(JSON.stringify(await timeline())).not.toContain('canary-value')
})

test('a node is kept when somebody writes it, not when its kubelet reports', async () => {
  const [node] = ((await kube('GET', '/api/v1/nodes'))['items'] ?? []) as { metadata: { name: string } }[]
  const name = node?.metadata.name ?? ''
  await expect.poll(changesOf(`nodes/-/${name}`), patience).toEqual(['found'])
  await kube('PATCH', `/api/v1/nodes/${name}/status`, { status: { nodeInfo: { bootID: 'another' } } }, merge)
  await kube('PATCH', `/api/v1/nodes/${name}`, { spec: { unschedulable: true } }, merge)
  await expect.poll(changesOf(`nodes/-/${name}`), patience).toEqual(['updated', 'found'])
  const [newest] = await versions(`nodes/-/${name}`)
  const { object, before } = (await call('GET', at(`/versions/${newest?.id}`), as(owner))).json() as {
    object: { spec: { unschedulable?: boolean } }
    before: { spec: { unschedulable?: boolean } }
  }
  expect([before.spec.unschedulable, object.spec.unschedulable]).toEqual([undefined, true])
})

test('custom resources are kept from the first look at them, unless they may hold secrets', async () => {
  for (const [kind, plural] of [
    ['Widget', 'widgets'],
    ['WidgetSecret', 'widgetsecrets'],
  ] as const) {
    await kube('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: `${plural}.example.com` },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind, plural, singular: kind.toLowerCase() },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    })
    const path = `/apis/example.com/v1/namespaces/default/${plural}`
    const made = async () =>
      kube('POST', path, { apiVersion: 'example.com/v1', kind, metadata: { name: 'w' }, spec: { size: 1 } })
    await vi.waitFor(made, patience)
  }
  const widget = '/apis/example.com/v1/namespaces/default/widgets/w'
  const kept = changesOf('widgets.example.com/default/w')
  expect(await kept()).toEqual([])
  const list = (plural: string) => call('GET', at(`/objects/${plural}.example.com`), as(viewer))
  await expect.poll(async () => (await list('widgets')).status, patience).toBe(200)
  expect((await list('widgetsecrets')).status).toBe(200)
  await expect.poll(kept, patience).toEqual(['found'])
  await kube('PATCH', widget, { status: { phase: 'Busy' } }, merge)
  await kube('PATCH', widget, { spec: { size: 2 } }, merge)
  await expect.poll(kept, patience).toEqual(['updated', 'found'])
  expect(await versions('widgetsecrets.example.com/default/w')).toEqual([])
})

test('who changed it through Bey is named to those who may read the audit trail', async () => {
  await kube('POST', configMaps, { metadata: { name: 'mine' }, data: {} })
  await expect.poll(changesOf('configmaps/default/mine'), patience).toEqual(['created'])
  const path = at(`/proxy${configMaps}/mine`)
  const patched = await call('PATCH', path, {
    ...as(owner),
    headers: { 'content-type': merge },
    body: JSON.stringify({ data: { by: 'owner' } }),
  })
  expect(patched.status).toBe(200)
  await expect.poll(changesOf('configmaps/default/mine'), patience).toEqual(['updated', 'created'])
  const by = async (user: GivenUser) => (await versions('configmaps/default/mine', user))[0]?.by
  await expect.poll(() => by(owner), patience).toBe(actorText(owner))
  expect(await by(viewer)).toBeNull()
})

test('what somebody did to an object is said as what it was, with kind and name', async () => {
  const path = at(`/proxy${configMaps}/mine`)
  const labelled = await call('PATCH', path, {
    ...as(owner),
    headers: { 'content-type': merge },
    body: JSON.stringify({ metadata: { labels: { team: 'shop' } } }),
  })
  expect(labelled.status).toBe(200)
  const titles = async () => (await timeline()).changes.map(({ title }) => title)
  await expect.poll(titles, patience).toContain('Changed the labels of config map mine')
})

test('what the cluster refused is an act that changed nothing', async () => {
  const again = await call('POST', at(`/proxy${configMaps}`), {
    ...as(owner),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'mine', namespace: 'default' },
    }),
  })
  expect(again.status).toBe(409)
  const refused = async () =>
    (await timeline()).changes.find(({ kind, detail }) => kind === 'action' && detail)
  await expect.poll(refused, patience).toMatchObject({
    title: 'Tried to create config map mine',
    detail: 'refused by the cluster',
    by: actorText(owner),
  })
})

test('the timeline holds changes, warnings and acts, newest first, and by namespace', async () => {
  const { changes, knownSince } = await timeline()
  expect(Date.parse(knownSince)).toBeLessThan(Date.now())
  expect(changes.map(({ title }) => title)).toContain('ConfigMap settings deleted')
  expect(changes.every(({ title }) => !title.endsWith(' found'))).toBe(true)
  const times = changes.map((each) => each.at)
  expect(times).toEqual(times.toSorted().toReversed())
  expect((await timeline('&namespace=kube-system')).changes.map(({ title }) => title)).not.toContain(
    'ConfigMap settings deleted',
  )
  const wrong = await call('GET', at('/changes?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z'), as(owner))
  expect(wrong).toMatchObject({ status: 400 })
})

test('the timeline answers the newest alone, and without warnings or with equal ones as one', async () => {
  const warn = (name: string, pod: string) =>
    kube('POST', '/api/v1/namespaces/default/events', {
      metadata: { name },
      type: 'Warning',
      reason: 'BackOff',
      message: 'Back-off restarting failed container',
      involvedObject: { kind: 'Pod', namespace: 'default', name: pod },
      lastTimestamp: new Date().toISOString(),
      count: 1,
    })
  await warn('one', 'cart-6b7d9c8f5d-x2v4q')
  await warn('two', 'cart-6b7d9c8f5d-9hjkl')
  const ofCart = async (query: string) =>
    (await timeline(query)).changes.filter(({ object }) => object?.name.startsWith('cart-'))
  await expect.poll(async () => (await ofCart('')).length, patience).toBe(2)
  expect((await ofCart('&warnings=folded')).map(({ title, count }) => [title, count])).toEqual([
    ['BackOff: cart × 2', 2],
  ])
  const without = (await timeline('&warnings=none')).changes
  expect(without.some(({ kind }) => kind === 'event')).toBe(false)
  const two = await timeline('&warnings=none&atMost=2')
  expect(two).toMatchObject({ changes: without.slice(0, 2), isComplete: false })
})

test('the oldest versions go first when a cluster has too many bytes of them', async () => {
  const { rows } = await app.database.asSystem('test', (db) =>
    db.execute<{ bytes: number; id: string }>(
      `select bytes, id from object_versions where cluster_id = ${prod.id} order by at desc, id desc limit 2`,
    ),
  )
  const [newest, next] = rows
  const maxBytes = (newest?.bytes ?? 0) + (next?.bytes ?? 0)
  await app.database.withTenant(organizationId, (db) => trimClusterBytes(db, prod.id, maxBytes))
  const left = await app.database.asSystem('test', (db) =>
    db.execute<{ id: string }>(
      `select id from object_versions where cluster_id = ${prod.id} order by at desc, id desc`,
    ),
  )
  expect(left.rows.slice(0, 2).map(({ id }) => id)).toEqual([newest?.id, next?.id])
  expect(left.rows.length).toBeLessThanOrEqual(3)
})
