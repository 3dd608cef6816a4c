import { clusterMetrics } from '@bey/contract'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@bey/sandbox'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { measureHours } from '../../../testing/measure-hours.ts'
import { runningApp } from '../../kubernetes/testing/running-app.ts'
import { sandboxCalls } from '../../kubernetes/testing/sandbox-calls.ts'

const gib = 2 ** 30
const web = { namespace: 'default', kind: 'Deployment', workload: 'web' }
const before = { cpu: '2', memory: '4Gi' }

const home = await mkdtemp(join(tmpdir(), 'bey-savings-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const { app, given, cluster, call } = await runningApp()
const { token, organizationId } = await given.user({ role: 'OWNER' })
const { url, caPem, adminToken } = sandbox
const prod = await cluster(organizationId, { url, caPem, token: adminToken, impersonate: true })
const kube = sandboxCalls(sandbox)

type Saving = { id: string; kind: string; change: { text: string; refusal: string | null } }
type Applied = { id: string; state: string; text: string; canUndo: boolean }
type List = { savings: Saving[]; applied: Applied[] }

const ask = async (method: string, path: string, body?: object) => {
  const reply = await call(method, path, {
    token,
    organizationId,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(method === 'POST' && { 'idempotency-key': crypto.randomUUID() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { ...reply, body: reply.json() }
}
const list = async () => (await ask('GET', '/api/billing/savings')).body as unknown as List
const requests = async () => {
  const { spec } = (await kube('GET', '/apis/apps/v1/namespaces/default/deployments/web')) as {
    spec: { template: { spec: { containers: { resources: { requests: object } }[] } } }
  }
  return spec.template.spec.containers[0]?.resources.requests
}

let controlPlanes: string[]
beforeAll(async () => {
  await kube('POST', '/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'web' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'app', image: 'nginx', resources: { requests: before } }] },
      },
    },
  })
  const nodes = (await kube('GET', '/api/v1/nodes'))['items'] as {
    metadata: { name: string; labels: Record<string, string> }
  }[]
  controlPlanes = nodes.flatMap(({ metadata: { name, labels } }) =>
    'node-role.kubernetes.io/control-plane' in labels ? [name] : [],
  )
  await measureHours(app.database, organizationId, { type: 'cluster', id: String(prod.id) }, [
    ...nodes.flatMap(({ metadata: { name } }) => [
      // The control plane is the largest, so that it would be the first to go.
      {
        metric: clusterMetrics.cpuAllocatable,
        labels: { node: name },
        value: controlPlanes.includes(name) ? 64_000 : 4_000,
      },
      { metric: clusterMetrics.memoryAllocatable, labels: { node: name }, value: 16 * gib },
    ]),
    { metric: clusterMetrics.cpuRequested, labels: web, value: 2_000 },
    { metric: clusterMetrics.cpuUsed, labels: web, value: 250 },
    { metric: clusterMetrics.memoryRequested, labels: web, value: 4 * gib },
    { metric: clusterMetrics.memoryUsed, labels: web, value: gib },
  ])
})

test('requests are lowered by one click after a trial, and taken back by another', async () => {
  // The change needs the containers as Bey saw them.
  await vi.waitFor(
    async () =>
      expect((await list()).savings.find(({ kind }) => kind === 'over_requested')?.change.refusal).toBeNull(),
    { timeout: 60_000, interval: 200 },
  )
  const { savings } = await list()
  const { id } = savings.find(({ kind }) => kind === 'over_requested') as Saving

  const trial = await ask('POST', '/api/billing/savings/apply', { id, isDryRun: true })
  expect(trial.status, trial.text).toBe(200)
  expect(trial.body).toMatchObject({
    isDryRun: true,
    changes: [
      { field: 'app: cpu requested', before: '2', after: '300m' },
      { field: 'app: memory requested', before: '4Gi', after: '1232Mi' },
    ],
    run: null,
  })
  expect(await requests()).toEqual(before)
  expect((await list()).applied).toEqual([])

  const made = await ask('POST', '/api/billing/savings/apply', { id, isDryRun: false })
  expect(made.status, made.text).toBe(200)
  expect(await requests()).toEqual({ cpu: '300m', memory: '1232Mi' })
  const [applied] = (await list()).applied
  expect(applied).toMatchObject({
    state: 'applied',
    text: 'The requests of Deployment default/web were lowered.',
    canUndo: true,
  })

  const undone = await ask('POST', `/api/billing/savings/applied/${applied?.id}/undo`)
  expect(undone.status, undone.text).toBe(200)
  expect(await requests()).toEqual(before)
  expect((await list()).applied).toMatchObject([{ state: 'undone', canUndo: false }])
  const twice = await ask('POST', `/api/billing/savings/applied/${applied?.id}/undo`)
  expect([twice.status, twice.body['detail']]).toEqual([
    409,
    expect.stringContaining('is not applied. Taken back: it costs as before.'),
  ])
})

test('a control plane is never the node too many', async () => {
  expect(controlPlanes).toHaveLength(1)
  // Known once Bey has seen the nodes.
  await vi.waitFor(
    async () => {
      const { savings } = await list()
      const { change } = savings.find(({ kind }) => kind === 'spare_node') as Saving
      expect(change.text).toMatch(/^Drain \S+ and scale its group of nodes down by one\.$/)
      expect(change.text).not.toContain(controlPlanes[0])
    },
    { timeout: 60_000, interval: 200 },
  )
})
