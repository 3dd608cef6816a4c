import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { workflowTemplates } from './templates.ts'

const app = await testApp()
const owner = await app.given.user()
const { token, organizationId } = owner
const ask = (method: string, path: string, body?: unknown) =>
  app.ask(method, path, { token, organizationId, body })

const server = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1')
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
    { timeout: 20_000, interval: 50 },
  )
}

/** Saves a template as a workflow, starts it, and answers how its run ends. */
async function execute(id: string, input: object, during?: (runId: string) => Promise<void>) {
  const created = await ask('POST', '/api/v1/workflows', definitions.get(id))
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
      const open = await until(
        async () => (await ask('GET', `/api/v1/workflows/approvals?run_id=${runId}`)).body,
        ({ approvals }) => approvals?.length === 1,
      )
      const { id, facts } = open.approvals[0]
      expect(facts).toContainEqual({ name: 'Runs now', value: 'web:1' })
      const decided = await ask('POST', `/api/v1/workflows/approvals/${id}/decide`, { decision: 'approve' })
      expect(decided.status, decided.text).toBe(200)
    },
  )
  expect(ended.status).toBe('failed')
  expect(ended.error).toContain('The time limit is over')
  const web = await ask('POST', '/api/v1/workflows/test-step', {
    step: {
      key: 'look',
      name: 'Look',
      type: 'kubernetes.get',
      config: {
        cluster: 'prod',
        api_version: 'apps/v1',
        kind: 'Deployment',
        namespace: 'default',
        name: 'web',
      },
    },
  })
  expect(JSON.stringify(web.body.output)).not.toContain('does-not-exist:nope')
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
