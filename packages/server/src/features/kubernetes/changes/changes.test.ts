import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChangeEntry, ObjectVersion } from '@bey/contract'
import { startSandbox } from '@bey/sandbox'
import { afterAll, expect, test } from 'vitest'
import type { GivenUser } from '../../../testing/given.ts'
import { runningApp } from '../testing/running-app.ts'
import { sandboxCalls } from '../testing/sandbox-calls.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-changes-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const { given, cluster, call } = await runningApp()
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
const patience = { timeout: 20_000, interval: 100 }

async function versions(address: string, user = owner): Promise<ObjectVersion[]> {
  const reply = await call('GET', at(`/history/${address}`), as(user))
  expect(reply.status, reply.text).toBe(200)
  return (reply.json() as { versions: ObjectVersion[] }).versions
}
const changesOf = (address: string) => async () => (await versions(address)).map(({ change }) => change)

async function timeline(query = '', user = owner): Promise<{ changes: ChangeEntry[]; knownSince: string }> {
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
}, 70_000)

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
  await expect.poll(() => by(owner), patience).toBe(owner.email)
  expect(await by(viewer)).toBeNull()
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
