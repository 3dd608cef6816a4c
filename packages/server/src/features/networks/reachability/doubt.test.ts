import type { CallOutput } from '@bey/contract'
import { afterAll, expect, test } from 'vitest'
import { fakeCluster } from '../../kubernetes/testing/fake-cluster.ts'
import { runningApp } from '../../kubernetes/testing/running-app.ts'

const [silent, closed] = [await fakeCluster(), await fakeCluster()]
afterAll(() => Promise.all([silent.stop(), closed.stop()]))
const { given, cluster, call } = await runningApp()
const viewer = await given.user({ role: 'VIEWER' })
const timeout = 60_000

const policiesPath = '/apis/networking.k8s.io/v1/networkpolicies'
closed.answer = (request, response) => {
  if (!request.url?.startsWith(policiesPath)) return false
  response.writeHead(403, { 'content-type': 'application/json' }).end('{}')
  return true
}
const shop = { metadata: { name: 'shop', labels: { team: 'shop' } } }
const deny = { metadata: { name: 'deny', namespace: 'shop' }, spec: { podSelector: {} } }
const pod = (name: string, podIP: string) => ({
  metadata: { name, namespace: 'shop', uid: name, labels: { app: name } },
  spec: { nodeName: 'n1' },
  status: { phase: name === 'done' ? 'Succeeded' : 'Running', podIP },
})
for (const fake of [silent, closed]) {
  fake.put('/api/v1/nodes', { metadata: { name: 'n1' } })
  fake.put('/api/v1/namespaces', shop)
  const addresses = { web: '10.0.0.1', search: '10.0.0.2', done: '10.0.0.3', waiting: '' }
  for (const [name, ip] of Object.entries(addresses)) fake.put('/api/v1/pods', pod(name, ip))
}

async function check(clusterId: number, from = 'pod:shop/search') {
  const query = `from=${from}&to=pod:shop/web&port=80`
  const reply = await call('GET', `/api/kubernetes/clusters/${clusterId}/reachability/check?${query}`, viewer)
  return reply.json() as CallOutput<'networks.reachability.check'>
}
const answer = async (clusterId: number) => (await check(clusterId)).answer

test('pods that have ended or have no address yet are no ends, and an answer counts what it is from', async () => {
  const { id } = await cluster(viewer.organizationId, silent.connection)
  await expect.poll(() => answer(id), { timeout }).toBe('yes')
  const { pods, policies, sentence } = await check(id)
  expect([pods, policies, sentence]).toEqual([2, 0, 'Yes. All 2 gates are open.'])
  for (const name of ['done', 'waiting'])
    expect((await check(id, `pod:shop/${name}`)).sentence).toBe(
      `Not known: There is no pod shop/${name} that runs.`,
    )
  silent.put(policiesPath, deny)
  await expect.poll(() => answer(id), { timeout }).toBe('no')
  await silent.stop()
  const sentenceNow = async () => (await check(id)).sentence
  await expect
    .poll(sentenceNow, { timeout })
    .toMatch(/^Not known: .+ has not answered since .{10} .{5} UTC\.$/)
  const { gates } = await check(id)
  // What was known last is shown all the same.
  expect(gates.map(({ state }) => state)).toEqual(['open', 'closed'])
})

test('where Bey may not read the policies nothing is known', async () => {
  const { id } = await cluster(viewer.organizationId, closed.connection)
  await expect.poll(() => answer(id), { timeout }).toBe('unknown')
  expect((await check(id)).sentence).toMatch(/^Not known: The policies of .+ cannot be read: /)
  const ask = async (path: string) =>
    (await call('GET', `/api/kubernetes/clusters/${id}/reachability/${path}`, viewer)).json()
  expect(await ask('matrix')).toMatchObject({
    cells: ['uu', 'uu'],
    doubt: expect.stringContaining('policies'),
  })
  expect(await ask('reachable?of=pod:shop/web&port=80')).toMatchObject({
    reached: [{ state: 'unknown' }, { state: 'unknown' }, { state: 'unknown' }],
  })
})
