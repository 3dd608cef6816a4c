import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@bey/sandbox'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { GivenUser } from '../../../testing/given.ts'
import { startMain } from '../../../testing/main-child.ts'
import { runningApp } from '../testing/running-app.ts'
import { sandboxCalls } from '../testing/sandbox-calls.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-drain-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const { app, given, cluster, call, environment } = await runningApp()
const admin = await given.user({ role: 'ADMIN' })
const { organizationId } = admin
const member = await given.user({ role: 'MEMBER', organizationId })
const viewer = await given.user({ role: 'VIEWER', organizationId })
const prod = await cluster(organizationId, {
  url: sandbox.url,
  caPem: sandbox.caPem,
  token: sandbox.adminToken,
  impersonate: true,
})
const kube = sandboxCalls(sandbox)

type Pod = { metadata: { name: string; uid: string }; spec: { nodeName?: string }; status: { phase: string } }
type Node = { metadata: { name: string }; spec: { unschedulable?: boolean } }

const pods = async (app_ = 'web') => {
  const list = await kube('GET', `/api/v1/namespaces/default/pods?labelSelector=app%3D${app_}`)
  return list['items'] as Pod[]
}
const nodes = async () => (await kube('GET', '/api/v1/nodes'))['items'] as Node[]
const isCordoned = async (name: string) =>
  (await nodes()).find(({ metadata }) => metadata.name === name)?.spec.unschedulable === true
const uncordon = (name: string) =>
  kube('PATCH', `/api/v1/nodes/${name}`, { spec: { unschedulable: null } }, 'application/merge-patch+json')

const drainPath = (node: string) => `/api/kubernetes/clusters/${prod.id}/nodes/${node}/drain`
const drain = (node: string, body: object = {}, user: GivenUser = admin, key: string = crypto.randomUUID()) =>
  call('POST', drainPath(node), {
    token: user.token,
    organizationId,
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })

type Run = {
  run: { status: string; error: { message: string } | null; recovery_count: number }
  steps: { key: string; status: string; progress_percent: number }[]
  logs: { message: string; level: string }[]
}
const at = ({ workflowId, runId }: Record<string, unknown>) =>
  `/api/v1/workflows/${String(workflowId)}/runs/${String(runId)}`
const read = async (started: Record<string, unknown>): Promise<Run> => {
  const reply = await call('GET', at(started), { token: admin.token, organizationId })
  return JSON.parse(reply.text) as Run
}
const lines = ({ logs }: Run) => logs.map(({ message }) => message)
const until = (
  started: Record<string, unknown>,
  holds: (run: Run) => boolean,
  ask = () => read(started),
): Promise<Run> =>
  vi.waitFor(
    async () => {
      const run = await ask()
      if (!holds(run)) throw new Error(`Not yet: ${run.run.status} ${lines(run).join(' | ').slice(-600)}`)
      return run
    },
    { timeout: 60_000, interval: 50 },
  )
const isOver = ({ run }: Run) => ['completed', 'failed', 'cancelled'].includes(run.status)

/** A node on which a pod of the deployment runs. */
const busyNode = async (label = 'web') =>
  (await pods(label)).find(({ spec }) => spec.nodeName)?.spec.nodeName ?? ''

const deployment = (name: string, replicas: number) =>
  kube('POST', '/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'c', image: 'nginx' }] },
      },
    },
  })
const budget = (name: string, minAvailable: number) =>
  kube('POST', '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
    metadata: { name },
    spec: { minAvailable, selector: { matchLabels: { app: name } } },
  })
const running = (name: string, count: number) =>
  vi.waitFor(
    async () => {
      const found = (await pods(name)).filter(({ status }) => status.phase === 'Running')
      expect(found.length).toBeGreaterThanOrEqual(count)
    },
    { timeout: 60_000, interval: 50 },
  )

beforeAll(async () => {
  await deployment('web', 6)
  await running('web', 6)
})

test('a drain cordons the node, moves its pods away and logs each of them', async () => {
  const node = await busyNode()
  const reply = await drain(node, { deleteEmptyDirData: true, force: true }, admin, 'once')
  expect(reply.status).toBe(202)
  const repeated = await drain(node, { deleteEmptyDirData: true, force: true }, admin, 'once')
  expect(repeated.headers['idempotency-replayed']).toBe('true')
  expect(repeated.json()).toEqual(reply.json())
  const run = await until(reply.json(), isOver)
  expect(run.run).toMatchObject({ status: 'completed', error: null })
  expect(run.steps.map(({ key, status }) => `${key} ${status}`)).toEqual([
    'cordon succeeded',
    'list_pods succeeded',
    'evict succeeded',
    'await_gone succeeded',
  ])
  expect(lines(run)).toContain(`Cordoned: ${node} takes no new pods.`)
  expect(lines(run).some((line) => line.startsWith('Evicted default/web-'))).toBe(true)
  expect(await isCordoned(node)).toBe(true)
  expect((await pods()).filter(({ spec }) => spec.nodeName === node)).toEqual([])

  const { rows } = await app.database.ownerPool.query(
    'select action, outcome from audit_entries where organization_id = $1 and run_id = $2 order by id',
    [organizationId, reply.json()['runId']],
  )
  expect(rows).toEqual([
    { action: 'node.drain', outcome: 'unknown' },
    { action: 'node.drain.completed', outcome: 'success' },
  ])
  await uncordon(node)
})

test('a disruption budget makes the drain wait with its reason, and it goes on once the budget allows', async () => {
  await deployment('shy', 2)
  await running('shy', 2)
  await budget('shy', 2)
  await vi.waitFor(async () => {
    const { status } = await kube('GET', '/apis/policy/v1/namespaces/default/poddisruptionbudgets/shy')
    expect(status).toMatchObject({ disruptionsAllowed: 0, currentHealthy: 2 })
  }, 60_000)
  const node = await busyNode('shy')
  const reply = await drain(node, { deleteEmptyDirData: true, force: true })
  const waiting = await until(reply.json(), (run) =>
    lines(run).some((line) => /^default\/shy-\S+ waits: .*disruption budget/.test(line)),
  )
  expect(waiting.run.status).toBe('running')
  // Asked again meanwhile, it is the same run.
  const again = await drain(node)
  expect(again.json()).toMatchObject({ runId: reply.json()['runId'], status: 'running' })

  await kube('DELETE', '/apis/policy/v1/namespaces/default/poddisruptionbudgets/shy')
  const run = await until(reply.json(), isOver)
  expect(run.run.status).toBe('completed')
  await uncordon(node)
  await kube('DELETE', '/apis/apps/v1/namespaces/default/deployments/shy')
})

test('a pod that nothing starts again stops the drain before anything is evicted', async () => {
  const node = await busyNode()
  await kube('POST', '/api/v1/namespaces/default/pods', {
    metadata: { name: 'alone' },
    spec: { nodeName: node, containers: [{ name: 'c', image: 'nginx' }] },
  })
  const before = (await pods())
    .filter(({ spec }) => spec.nodeName === node)
    .map(({ metadata }) => metadata.uid)
  const reply = await drain(node, { deleteEmptyDirData: true })
  const run = await until(reply.json(), isOver)
  expect(run.run.status).toBe('failed')
  expect(run.run.error?.message).toContain(
    'Nothing was evicted: of default/alone nothing would start it again',
  )
  const after = (await pods())
    .filter(({ spec }) => spec.nodeName === node)
    .map(({ metadata }) => metadata.uid)
  expect(after.toSorted()).toEqual(before.toSorted())
  await kube('DELETE', '/api/v1/namespaces/default/pods/alone')
  await uncordon(node)
})

test('a drain that is cancelled makes the node take pods again', async () => {
  await budget('web', 6)
  await vi.waitFor(async () => {
    const { status } = await kube('GET', '/apis/policy/v1/namespaces/default/poddisruptionbudgets/web')
    expect(status).toMatchObject({ disruptionsAllowed: 0 })
  }, 60_000)
  const node = await busyNode()
  const reply = await drain(node, { deleteEmptyDirData: true, force: true })
  await until(reply.json(), (run) => lines(run).some((line) => line.includes(' waits: ')))
  expect(await isCordoned(node)).toBe(true)
  const cancelled = await call('POST', `${at(reply.json())}/cancel`, { token: admin.token, organizationId })
  expect(cancelled.status).toBe(202)
  await until(reply.json(), ({ run }) => run.status === 'cancelled')
  await vi.waitFor(async () => expect(await isCordoned(node)).toBe(false), 60_000)
})

test('the role and the roles of the cluster decide before a run is started', async () => {
  const [node] = await nodes()
  const name = node?.metadata.name ?? ''
  const byViewer = await drain(name, {}, viewer)
  expect(byViewer.status).toBe(403)
  const byMember = await drain(name, {}, member)
  expect(byMember.status).toBe(403)
  expect(byMember.json()['detail']).toContain('do not let you cordon nodes')
  expect(await isCordoned(name)).toBe(false)

  expect((await drain('no-such-node')).json()).toMatchObject({
    status: 404,
    detail: expect.stringContaining('There is no node "no-such-node"'),
  })
  const stranger = await given.user({ role: 'OWNER' })
  const byStranger = await call('POST', drainPath(name), {
    token: stranger.token,
    organizationId: stranger.organizationId,
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect(byStranger.status).toBe(404)
})

test('a drain whose server is killed goes on in another one, and evicts nothing twice', async () => {
  // No other process may take the run.
  await app.stop()
  const doomed = await startMain(environment)
  const node = await busyNode()
  const headers = {
    authorization: `Bearer ${admin.token}`,
    'x-organization-id': String(organizationId),
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ deleteEmptyDirData: true, force: true })
  const response = await fetch(`${doomed.url}${drainPath(node)}`, { method: 'POST', headers, body })
  const started = (await response.json()) as Record<string, unknown>
  const askAt = (url: string, holds: (run: Run) => boolean) =>
    until(
      started,
      holds,
      async () => (await (await fetch(`${url}${at(started)}`, { headers })).json()) as Run,
    )
  // The budget of an earlier test still allows nothing.
  await askAt(doomed.url, (run) => lines(run).some((line) => line.includes(' waits: ')))
  await doomed.kill()

  const successor = await startMain(environment)
  await askAt(successor.url, ({ run }) => run.recovery_count > 0)
  await kube('DELETE', '/apis/policy/v1/namespaces/default/poddisruptionbudgets/web')
  const run = await askAt(successor.url, isOver)
  expect(run.run.status).toBe('completed')
  const evicted = lines(run).filter((line) => line.startsWith('Evicted '))
  expect(new Set(evicted).size).toBe(evicted.length)
  expect((await pods()).filter(({ spec }) => spec.nodeName === node)).toEqual([])
}, 120_000)
