import { afterAll, expect, test } from 'vitest'
import type { GivenUser } from '../../../testing/given.ts'
import { fakeCluster } from '../testing/fake-cluster.ts'
import { runningApp } from '../testing/running-app.ts'

const fake = await fakeCluster()
afterAll(() => fake.stop())
const { given, cluster, call } = await runningApp()
const member = await given.user({ role: 'MEMBER' })
const viewer = await given.user({ organizationId: member.organizationId, role: 'VIEWER' })
await cluster(member.organizationId, fake.connection)

/** Objects of any kind have more than their metadata. */
const put = (path: string, object: Parameters<typeof fake.put>[1] & Record<string, unknown>) =>
  fake.put(path, object)

const meta = (name: string, labels: Record<string, string> = {}) => ({
  name,
  namespace: 'shop',
  uid: name,
  labels,
  creationTimestamp: '2026-01-01T00:00:00Z',
})
put('/api/v1/namespaces', { metadata: { name: 'shop', uid: 'ns' } })
put('/api/v1/pods', { metadata: meta('web-1', { app: 'web' }), status: { phase: 'Running' } })
put('/api/v1/pods', { metadata: meta('job-1', { app: 'job' }), status: { phase: 'Running' } })
put('/api/v1/services', {
  metadata: meta('web'),
  spec: { type: 'LoadBalancer', selector: { app: 'web' } },
})
put('/api/v1/services', { metadata: meta('nobody'), spec: { selector: { app: 'gone' } } })
put('/api/v1/services', { metadata: meta('inner'), spec: { selector: { app: 'job' } } })
put('/api/v1/persistentvolumeclaims', { metadata: meta('unused'), status: { phase: 'Bound' } })
put('/api/v1/configmaps', { metadata: meta('settings') })
put('/api/v1/secrets', { metadata: meta('password') })

async function names(user: GivenUser, query: string): Promise<string[]> {
  const { token, organizationId } = user
  const reply = await call('GET', `/api/resources?query=${encodeURIComponent(query)}`, {
    token,
    organizationId,
  })
  const { resources } = reply.json() as { resources: { name: string }[] }
  return resources.map(({ name }) => name).toSorted()
}

test('objects of clusters are found by kind, namespace and label', async () => {
  // On a busy machine the first list may come after the patience of the first reader.
  await expect
    .poll(() => names(member, 'kind:pod namespace:shop'), { timeout: 60_000 })
    .toEqual(['job-1', 'web-1'])
  expect(await names(member, 'kind:pod label:app=web')).toEqual(['web-1'])
  expect(await names(member, 'kind:configmap')).toEqual(['settings'])
}, 90_000)

test('what a load balancer leads to is exposed, and nothing else', async () => {
  expect(await names(member, 'is:exposed')).toEqual(['web', 'web-1'])
})

test('a claim without a pod and a service that selects none are orphaned', async () => {
  expect(await names(member, 'is:orphaned')).toEqual(['nobody', 'unused'])
})

test('names of Kubernetes secrets need the permission to read them', async () => {
  expect(await names(member, 'kind:k8s-secret')).toEqual(['password'])
  expect(await names(viewer, 'kind:k8s-secret')).toEqual([])
  expect(await names(viewer, 'kind:pod')).toEqual(['job-1', 'web-1'])
})
