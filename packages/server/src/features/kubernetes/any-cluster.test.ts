import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { env, stdout } from 'node:process'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { importableCluster } from '../../testing/importable.ts'
import { runningApp } from './testing/running-app.ts'

// Runs against the current context of the kubeconfig that BEY_TEST_KUBECONFIG names, else against a sandbox that was
// started on its own. Everything happens in a namespace of its own, which is deleted at the end.
const named = env['BEY_TEST_KUBECONFIG']
const patience = { timeout: named === undefined ? 30_000 : 180_000, interval: 200 }
vi.setConfig({ testTimeout: patience.timeout + 30_000, hookTimeout: patience.timeout + 30_000 })

const { app, given, call } = await runningApp()
const owner = await given.user({ role: 'OWNER' })
const as = { token: owner.token, organizationId: owner.organizationId }
const namespace = `bey-test-${randomBytes(4).toString('hex')}`
const done: string[] = []
let base = ''
let version = ''

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a reply is its own claim
async function ask(method: string, path: string, body?: object, type = 'application/json'): Promise<any> {
  const reply = await call(method, path, {
    ...as,
    ...(body && { headers: { 'content-type': type }, body: JSON.stringify(body) }),
  })
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
  return reply.text === '' ? undefined : reply.json()
}
const get = (rest: string) => ask('GET', `${base}${rest}`)
const own = `/proxy/api/v1/namespaces/${namespace}`
const deployments = `/proxy/apis/apps/v1/namespaces/${namespace}/deployments`

async function kubeconfigText(): Promise<string> {
  if (named !== undefined) return readFileSync(named, 'utf8')
  const outside = await importableCluster()
  return outside.kubeconfig([{ name: 'own', user: outside.admin() }])
}
const kubeconfig = await kubeconfigText()

beforeAll(async () => {
  const read = await ask('POST', '/api/kubernetes/import/read', { kubeconfig })
  const context = read.currentContext ?? read.contexts[0].context
  const made = await ask('POST', '/api/kubernetes/import', {
    kubeconfig,
    clusters: [{ context, title: 'any' }],
  })
  base = `/api/kubernetes/clusters/${made.clusters[0].id}`
  await vi.waitUntil(async () => (await get('')).status === 'RUNNING', patience)
  version = (await get('')).version
  await ask('POST', `${base}/proxy/api/v1/namespaces`, { metadata: { name: namespace } })
  await ask('POST', `${base}${deployments}`, {
    metadata: { name: 'web' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'main', image: 'nginx:1.27' }] },
      },
    },
  })
})

afterAll(async () => {
  await ask('DELETE', `${base}/proxy/api/v1/namespaces/${namespace}`).catch(() => undefined)
  await ask('DELETE', base).catch(() => undefined)
  const where = named === undefined ? 'a sandbox of its own' : 'the cluster of BEY_TEST_KUBECONFIG'
  stdout.write(`Tested against ${where} (${version}), in the namespace ${namespace}: ${done.join(', ')}\n`)
})

/** The name of the running pod. */
async function runningPod(): Promise<string> {
  const running = async () =>
    (await get(`/pods?namespace=${namespace}`)).pods.find(
      (pod: { status: string; ready: { ready: number } }) =>
        pod.status === 'Running' && pod.ready.ready === 1,
    )?.name as string | undefined
  await expect.poll(running, patience).toBeTruthy()
  return (await running()) ?? ''
}

test('its nodes, namespaces and resources are read', async () => {
  const overview = await get('/overview')
  expect(overview.nodes.total).toBeGreaterThan(0)
  expect((await get('/nodes')).total).toBe(overview.nodes.total)
  const { namespaces } = await get(`/namespaces?search=${namespace}`)
  expect(namespaces.map(({ name }: { name: string }) => name)).toEqual([namespace])
  const { resources } = await get('/resources')
  expect(resources.map(({ resource }: { resource: string }) => resource)).toContain('deployments.apps')
  done.push('reads')
})

test('lists follow what is created and deleted', async () => {
  const names = async () =>
    (await get(`/objects/configmaps?namespace=${namespace}&search=followed`)).objects.map(
      ({ name }: { name: string }) => name,
    )
  expect(await names()).toEqual([])
  await ask('POST', `${base}${own}/configmaps`, { metadata: { name: 'followed' }, data: { a: 'b' } })
  await expect.poll(names, patience).toEqual(['followed'])
  await ask('DELETE', `${base}${own}/configmaps/followed`)
  await expect.poll(names, patience).toEqual([])
  done.push('lists', 'watches')
})

test('a workload is scaled, and its health and change are seen', async () => {
  await runningPod()
  const merge = 'application/merge-patch+json'
  await ask('PATCH', `${base}${deployments}/web`, { spec: { replicas: 2 } }, merge)
  const web = async () => (await get(`/workloads?namespace=${namespace}&kind=Deployment`)).workloads[0]
  await expect.poll(async () => (await web())?.ready, patience).toBe(2)
  expect((await web()).health.state).toBe('healthy')
  const changes = async () =>
    (await get(`/history/deployments.apps/${namespace}/web`)).versions.map(
      ({ change }: { change: string }) => change,
    )
  await expect.poll(async () => (await changes()).length, patience).toBeGreaterThan(0)
  await ask('PATCH', `${base}${deployments}/web`, { spec: { replicas: 1 } }, merge)
  await expect.poll(async () => (await changes())[0], patience).toBe('updated')
  done.push('actions', 'history')
})

test('a dry run says what would be, and stores nothing', async () => {
  const path = `${base}${deployments}/web?dryRun=All&fieldManager=bey&fieldValidation=Strict`
  const after = await ask('PATCH', path, { spec: { minReadySeconds: 7 } }, 'application/merge-patch+json')
  expect(after.spec.minReadySeconds).toBe(7)
  expect((await get(`${deployments}/web`)).spec.minReadySeconds ?? 0).toBe(0)
  const wrong = ask('PATCH', path, { spec: { replica: 1 } }, 'application/merge-patch+json')
  await expect(wrong).rejects.toThrow(/unknown field/)
  done.push('YAML dry run')
})

test('the log of a pod is read, and a command runs in it', async () => {
  const pod = await runningPod()
  const log = await call('POST', `${base}/logs/download`, {
    ...as,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ namespace, resource: 'pods', name: pod }),
  })
  expect([log.status, log.text.length > 0]).toEqual([200, true])
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/exec?container=main&stdout=true&command=echo&command=hello`
  const { ticket } = await ask('POST', `${base}/stream-tickets`, { path })
  const socket = new WebSocket(
    `wss://localhost:${app.tlsPort}${base}/proxy${path}`,
    ['v5.channel.k8s.io', `bey.ticket.${ticket}`],
    { rejectUnauthorized: false },
  )
  const output = await new Promise<string>((resolve, reject) => {
    let text = ''
    socket.on('message', (data: Buffer) => {
      if (data[0] === 1) text += data.subarray(1).toString()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
  expect(output).toBe('hello\n')
  done.push('logs', 'exec')
})

test('what happens to its pods arrives as events', async () => {
  const reasons = async () =>
    (await get(`/events?namespace=${namespace}`)).events.map(({ reason }: { reason: string }) => reason)
  await expect.poll(reasons, patience).toContain('Scheduled')
  done.push('events')
})
