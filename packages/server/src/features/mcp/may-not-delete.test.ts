import type { Permission } from '@bey/contract'
import { beforeAll, expect, test, vi } from 'vitest'
import { soonMs } from '../../testing/soon.ts'
import { incidentWorld, reading } from './testing/incident-world.ts'

const { app, given, owner, organizationId, prod, call, keyWith, assistant, proxy, configMap } =
  await incidentWorld()

const everythingElse: Permission[] = [
  ...reading,
  'kubernetes.write',
  'workflows.read',
  'workflows.create',
  'workflows.update',
  'workflows.execute',
]
const key = await keyWith(...everythingElse)
const missing = 'was not given the permission kubernetes.delete'
const cluster = `/api/kubernetes/clusters/${prod.id}`

const send = (token: string, method: string, path: string, body?: object, headers = {}) =>
  call(method, path, {
    token,
    organizationId,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
let target: Record<string, unknown>
beforeAll(async () => {
  target = await configMap('kept')
})
const isThere = async (name = 'kept') =>
  (await proxy('GET', `/api/v1/namespaces/shop/configmaps/${name}`)).status === 200

/** A step that deletes the object. */
const step = {
  key: 'remove',
  name: 'Remove',
  type: 'kubernetes.delete',
  config: { cluster: prod.title, api_version: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'kept' },
}
const definition = (name: string, steps: object[] = [step]) => ({
  name,
  type: 'custom',
  steps,
  reason: 'test',
})

async function createWorkflow(token: string, body: object): Promise<string> {
  const made = await send(token, 'POST', '/api/v1/workflows', { ...body, state: 'active' })
  expect(made.status, made.text).toBe(201)
  return (made.json()['workflow'] as { id: string }).id
}

/** The error of the newest run of a workflow, once it has failed. */
async function failureOf(id: string): Promise<string> {
  return vi.waitUntil(
    async () => {
      const { runs } = (await send(owner.token, 'GET', `/api/v1/workflows/${id}/runs`)).json() as {
        runs: { status: string; error: { message: string } | null }[]
      }
      return runs[0]?.status === 'failed' && runs[0].error?.message
    },
    { timeout: soonMs, interval: 100 },
  )
}

test.each([
  ['an object', 'DELETE', '/api/v1/namespaces/shop/configmaps/kept'],
  ['an object in a dry run', 'DELETE', '/api/v1/namespaces/shop/configmaps/kept?dryRun=All'],
  ['a collection', 'DELETE', '/api/v1/namespaces/shop/configmaps'],
  ['a namespace', 'DELETE', '/api/v1/namespaces/shop'],
  ['a path of its own', 'DELETE', '/api/v1'],
  ['a pod by eviction', 'POST', '/api/v1/namespaces/shop/pods/any/eviction'],
])('a key without kubernetes.delete does not delete %s through the proxy', async (_what, method, path) => {
  const answer = await send(key.token, method, `${cluster}/proxy${path}`)
  expect(answer.status, answer.text).toBe(403)
  expect(answer.json()['message']).toContain('was not given kubernetes.delete')
  expect(await isThere()).toBe(true)
})

test('nor by a header that names another method or another person, and may still change the object', async () => {
  const path = `${cluster}/proxy/api/v1/namespaces/shop/configmaps/kept`
  const override = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE' }
  await send(key.token, 'POST', path, {}, override)
  const other = await send(key.token, 'DELETE', path, undefined, { 'impersonate-user': owner.email })
  expect(other.status, other.text).toBe(403)
  expect(await isThere()).toBe(true)
  const merge = { 'content-type': 'application/merge-patch+json' }
  const changed = await send(key.token, 'PATCH', path, { data: { level: 'info' } }, merge)
  expect(changed.status, changed.text).toBe(200)
})

test('nor by draining a node, as an assistant, or by a step that it tests, writes or starts', async () => {
  const drain = await send(key.token, 'POST', `${cluster}/nodes/any/drain`, {})
  const { client, call: ask } = await assistant(key.token, () => true)
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('delete_object')
  const asked = await ask('delete_object', target)
  expect([asked.isError, asked.text]).toEqual([true, expect.stringContaining(missing)])

  const tested = await send(key.token, 'POST', '/api/v1/workflows/test-step', { step, is_real: true })
  const written = await send(key.token, 'POST', '/api/v1/workflows', definition('by-key'))
  const id = await createWorkflow(owner.token, definition('of-a-person'))
  const changed = await send(key.token, 'PUT', `/api/v1/workflows/${id}`, definition('of-a-person'))
  const started = await send(key.token, 'POST', `/api/v1/workflows/${id}/execute`, { input: {} })
  for (const answer of [drain, tested, written, changed, started]) {
    expect(answer.status, answer.text).toBe(403)
    expect(answer.text).toContain('kubernetes.delete')
  }
  expect((await ask('execute_workflow', { workflow: 'of-a-person' })).isError).toBe(true)
  expect(await isThere()).toBe(true)
})

test('nor by what starts later: a sub-workflow, a trigger, a retry in bulk', async () => {
  const id = await createWorkflow(owner.token, definition('inner'))
  const outer = { key: 'sub', name: 'Sub', type: 'subworkflow', config: { workflow: 'inner' } }
  const named = await send(key.token, 'POST', '/api/v1/workflows', definition('outer', [outer]))
  expect([named.status, named.text]).toEqual([403, expect.stringContaining(missing)])
  const byExpression = { ...outer, config: { workflow: "{{ 'inner' }}" } }
  const byKey = await createWorkflow(key.token, definition('outer', [byExpression]))
  const run = await send(key.token, 'POST', `/api/v1/workflows/${byKey}/execute`, { input: {} })
  expect(run.status, run.text).toBe(202)
  expect(await failureOf(byKey)).toContain(missing)

  const trigger = await send(key.token, 'POST', `/api/v1/workflows/${id}/triggers`, {
    name: 'hook',
    settings: { type: 'webhook', authentication: 'token' },
  })
  expect(trigger.status, trigger.text).toBe(201)
  const { secret, trigger: made } = trigger.json() as { secret: string; trigger: { hook_path: string } }
  const hook = await call('POST', made.hook_path, {
    token: secret,
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect(hook.status, hook.text).toBeLessThan(300)
  expect(await failureOf(id)).toContain(missing)

  const bulk = await send(key.token, 'POST', '/api/v1/workflows/runs/bulk', {
    action: 'retry',
    filter: { workflow_id: id, status: ['failed'] },
  })
  expect(bulk.status, bulk.text).toBe(202)
  await vi.waitUntil(
    async () => {
      const { runs } = (await send(owner.token, 'GET', `/api/v1/workflows/${id}/runs`)).json() as {
        runs: { status: string }[]
      }
      return runs.length > 1 && runs.every(({ status }) => status === 'failed')
    },
    { timeout: soonMs, interval: 100 },
  )
  expect(await isThere()).toBe(true)
  // The same workflow started by a person deletes it.
  await send(owner.token, 'POST', `/api/v1/workflows/${id}/execute`, { input: {} })
  await vi.waitUntil(async () => !(await isThere()), { timeout: soonMs, interval: 100 })
})

test('nor does a key that is limited to a workflow act on a cluster by it, until it is limited to that one as well', async () => {
  await configMap('limited')
  const name = 'of-a-limited-key'
  const other = { ...step, config: { ...step.config, name: 'limited' } }
  const id = await createWorkflow(owner.token, definition(name, [other]))
  const limited = await given.apiKey(owner, { name: 'limited', resources: [{ type: 'workflow', id }] })
  const saved = await send(limited.token, 'PUT', `/api/v1/workflows/${id}`, {
    ...definition(name, [other]),
    description: 'by the key',
  })
  expect(saved.status, saved.text).toBe(200)
  const start = () => send(owner.token, 'POST', `/api/v1/workflows/${id}/execute`, { input: {} })
  await start()
  expect(await failureOf(id)).toContain('The API key "limited", which saved version 2')
  expect(await isThere('limited')).toBe(true)

  const resources = [
    { type: 'workflow', id },
    { type: 'cluster', id: String(prod.id) },
  ]
  await app.database.ownerPool.query('update api_keys set resources = $2 where id = $1', [
    limited.id,
    JSON.stringify(resources),
  ])
  await start()
  await vi.waitUntil(async () => !(await isThere('limited')), { timeout: soonMs, interval: 100 })
})
