import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { testApp } from '../../../../testing/app.ts'
import { workflowTemplates } from './templates.ts'

const app = await testApp()
const owner = await app.given.user()
const { token, organizationId } = owner
const ask = (method: string, path: string, body?: unknown) =>
  app.ask(method, path, { token, organizationId, body })

const server = createServer((request, response) =>
  response.writeHead(request.url === '/health' ? 200 : 503).end(),
).listen(0, '127.0.0.1')
afterAll(() => server.close())
const healthUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/health`

type Definition = { name: string }
let definitions: ReadonlyMap<string, Definition>

beforeAll(async () => {
  const made = await ask('POST', '/api/kubernetes/clusters', { title: 'prod', provider: 'sandbox' })
  expect(made.status, made.text).toBe(201)
  const list = await ask('GET', '/api/v1/workflows/templates')
  definitions = new Map(
    list.body.templates.map((each: { id: string; definition: Definition }) => [each.id, each.definition]),
  )
  await until(
    async () => (await ask('GET', `/api/kubernetes/clusters/${made.body.id}`)).body,
    (cluster) => cluster.status === 'RUNNING',
  )
  const config = { cluster: 'prod', manifest }
  const step = { key: 'apply', name: 'Apply', type: 'kubernetes.apply', config }
  const applied = await ask('POST', '/api/v1/workflows/test-step', { step, is_real: true })
  expect(applied.body, applied.text).toMatchObject({ status: 'succeeded', is_dry_run: false })
})

const deployment = { api_version: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' }
const manifest = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: "web:1" }] }
`

function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  return vi.waitFor(
    async () => {
      const value = await read()
      if (!holds(value)) throw new Error(`Not yet: ${JSON.stringify(value).slice(0, 2_000)}`)
      return value
    },
    { timeout: 60_000, interval: 50 },
  )
}

/** One step for real, against the shared cluster. */
async function really(type: string, config: object) {
  const step = { key: 'step', name: 'Step', type, config: { cluster: 'prod', ...config } }
  const { body, text } = await ask('POST', '/api/v1/workflows/test-step', { step, is_real: true })
  expect(body, text).toMatchObject({ status: 'succeeded' })
  return body.output
}

/** Approves what a run asks, and answers what it showed. */
async function approve(runId: string) {
  const open = await until(
    async () => (await ask('GET', `/api/v1/workflows/approvals?run_id=${runId}`)).body,
    ({ approvals }) => approvals?.length === 1,
  )
  const [{ id, ...shown }] = open.approvals
  const decided = await ask('POST', `/api/v1/workflows/approvals/${id}/decide`, { decision: 'approve' })
  expect(decided.status, decided.text).toBe(200)
  return shown
}

let saved = 0

/** Saves a template as a workflow, starts it, and answers how its run ends. */
async function execute(id: string, input: object, during?: (runId: string) => Promise<void>) {
  const definition = definitions.get(id)
  const name = `${definition?.name} ${(saved += 1)}`
  const created = await ask('POST', '/api/v1/workflows', { ...definition, name })
  expect(created.status, created.text).toBe(201)
  const path = `/api/v1/workflows/${created.body.workflow.id}`
  const started = await ask('POST', `${path}/execute`, { input })
  expect(started.status, started.text).toBe(202)
  const runId: string = started.body.run.id
  await during?.(runId)
  const ended = await until(
    async () => (await ask('GET', `${path}/runs/${runId}`)).body,
    ({ run }) => ['completed', 'failed', 'cancelled', 'needs_attention'].includes(run.status),
  )
  return { status: ended.run.status, error: ended.run.error?.message ?? null, output: ended.run.output }
}

test.each(workflowTemplates.map(({ id }) => id))('%s is right as it comes', async (id) => {
  const { body } = await ask('POST', '/api/v1/workflows/validate', { definition: definitions.get(id) })
  expect(body).toEqual({ problems: [], total: 0 })
})

test('an incident snapshot collects pods, deployments and logs', async () => {
  const ended = await execute('incident-snapshot', { cluster: 'prod', selector: 'app=web', lines: 5 })
  expect(ended).toMatchObject({ status: 'completed', error: null })
  expect(ended.output.snapshot.deployments.length).toBeGreaterThan(0)
  expect(ended.output.logs.length).toBeGreaterThan(0)
})

test('a deployment restarts, and its health is asked', async () => {
  const input = { cluster: 'prod', deployment: 'web', health_url: healthUrl() }
  expect(await execute('restart-with-health-check', input)).toMatchObject({ status: 'completed' })
})

test('a deployment waits for its approval, and goes back when the rollout does not succeed', async () => {
  const ended = await execute(
    'deploy-with-approval',
    {
      cluster: 'prod',
      deployment: 'web',
      container: 'main',
      image: 'does-not-exist:nope',
      rollout_ms: 1_500,
    },
    async (runId) => {
      const { facts } = await approve(runId)
      expect(facts).toContainEqual({ name: 'Runs now', value: 'web:1' })
    },
  )
  expect(ended.status).toBe('failed')
  expect(ended.error).toContain('The time limit is over')
  const web = await really('kubernetes.get', deployment)
  expect(JSON.stringify(web)).not.toContain('does-not-exist:nope')
})

test('config maps are copied', async () => {
  const input = { cluster: 'prod', namespace: 'kube-system', target: 'prod', target_namespace: 'default' }
  expect(await execute('copy-config-maps', input)).toMatchObject({ status: 'completed', error: null })
})

test('a health check passes, and fails the run where the address does not answer', async () => {
  expect(await execute('http-health-check', { url: healthUrl() })).toMatchObject({
    status: 'completed',
    output: { status: 200 },
  })
})

test('a deployment is scaled for the night, and back to what it was', async () => {
  const input = { cluster: 'prod', deployment: 'web', night_ms: 50 }
  expect(await execute('scale-for-the-night', input)).toMatchObject({
    status: 'completed',
    output: { replicas: 1 },
  })
  const web = await really('kubernetes.get', deployment)
  expect(web).toMatchObject({ object: { spec: { replicas: 1 } } })
})

test('certificates are read, and one that expires soon is notified of', async () => {
  const input = { hosts: [`127.0.0.1:${app.tlsPort}`], warn_days: 100_000 }
  const ended = await execute('certificate-expiry', input)
  expect(ended).toMatchObject({
    status: 'completed',
    output: { expiring: [expect.stringContaining(' days')] },
  })
  const { notifications } = (await ask('GET', '/api/notifications')).body
  expect(notifications).toContainEqual(expect.objectContaining({ title: '1 certificate expires soon' }))
})

test('a claim that no pod mounts is deleted after an approval, and one that is mounted stays', async () => {
  const claim = (name: string) => `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${name}, namespace: default }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`
  const pod = `apiVersion: v1
kind: Pod
metadata: { name: writer, namespace: default }
spec:
  containers: [{ name: main, image: "busybox", volumeMounts: [{ name: data, mountPath: /data }] }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: used } }]
`
  await really('kubernetes.apply', { manifest: [claim('used'), claim('orphan'), pod].join('---\n') })
  const ended = await execute('orphaned-volumes', { cluster: 'prod' }, async (runId) => {
    expect(await approve(runId)).toMatchObject({ details: 'default/orphan' })
  })
  expect(ended).toMatchObject({ status: 'completed', error: null })
  const kind = { api_version: 'v1', kind: 'PersistentVolumeClaim', namespace: 'default' }
  const left = await really('kubernetes.list', { ...kind, select: { name: 'object.metadata.name' } })
  expect(left).toMatchObject({ items: [{ name: 'used' }] })
})

test('a canary gets its requests in stages, and none once a check fails', async () => {
  const kind = { api_version: 'networking.k8s.io/v1', kind: 'Ingress' }
  await really('kubernetes.apply', {
    manifest: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web-canary, namespace: default }
spec: { rules: [{ host: web.example.com, http: { paths: [{ path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] } }] }
`,
  })
  const weight = async () => {
    const { object } = await really('kubernetes.get', { ...kind, namespace: 'default', name: 'web-canary' })
    return object.metadata.annotations['nginx.ingress.kubernetes.io/canary-weight']
  }
  const input = { cluster: 'prod', ingress: 'web-canary', observe_ms: 1, health_url: healthUrl() }
  expect(await execute('canary', input)).toMatchObject({ status: 'completed', error: null })
  expect(await weight()).toBe('100')
  const wrong = await execute('canary', { ...input, health_url: `${healthUrl()}/missing` })
  expect(wrong.status).toBe('failed')
  expect(await weight()).toBe('0')
})

test('a node is drained, and removed after an approval', async () => {
  const kind = { api_version: 'v1', kind: 'Node', select: { name: 'object.metadata.name' } }
  const before = await really('kubernetes.list', kind)
  const node: string = before.items.at(-1).name
  const ended = await execute('replace-node', { cluster: 'prod', node }, async (runId) => {
    expect(await approve(runId)).toMatchObject({ question: `Remove the node ${node}?` })
  })
  expect(ended).toMatchObject({ status: 'completed', error: null })
  const after = await really('kubernetes.list', kind)
  expect(after.items).not.toContainEqual({ name: node })
})
