import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Permission } from '@bey/contract'
import { startSandbox } from '@bey/sandbox'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { soonMs } from '../../testing/soon.ts'
import { runningApp } from '../kubernetes/testing/running-app.ts'
import { type Answering, connectAssistant, httpTransport, transcript } from './testing/assistant.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-mcp-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 100 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const { app, given, cluster, call } = await runningApp()
const owner = await given.user({ role: 'OWNER' })
const { organizationId } = owner
const prod = await cluster(organizationId, {
  url: sandbox.url,
  caPem: sandbox.caPem,
  token: sandbox.adminToken,
  impersonate: true,
})
const canary = 'canary-7f3a9c'

const reading: Permission[] = ['organization.read', 'clusters.read', 'kubernetes.read', 'analytics.read']
const keyWith = (...permissions: Permission[]) => given.apiKey(owner, { permissions })

async function assistant(token: string, answer?: Answering, headers?: Record<string, string>) {
  const connected = await connectAssistant(httpTransport(app.port, token, headers), answer)
  onTestFinished(() => connected.close())
  return connected
}

const proxy = (method: string, path: string, body: object) =>
  call(method, `/api/kubernetes/clusters/${prod.id}/proxy${path}`, {
    token: owner.token,
    organizationId,
    headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
    body: JSON.stringify(body),
  })

/** Entries of the trail about calls of assistants and what they did. */
async function trail(keyId: string) {
  const { rows } = await app.database.ownerPool.query<{
    action: string
    via: string
    outcome: string
    target_name: string
    diff: Record<string, unknown>
  }>(
    `select action, via, outcome, target_name, diff from audit_entries
     where organization_id = $1 and actor_id = $2 order by seq`,
    [organizationId, keyId],
  )
  return rows
}

beforeAll(async () => {
  const labels = { app: 'api' }
  const container = (image: string) => ({
    name: 'api',
    image,
    env: [
      { name: 'DB_PASSWORD', value: canary },
      { name: 'MODE', value: 'blue' },
    ],
    resources: { requests: { cpu: '50m', memory: '64Mi' } },
  })
  await proxy('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } })
  await proxy('POST', '/api/v1/namespaces/shop/secrets', {
    metadata: { name: 'db' },
    stringData: { password: canary },
  })
  const made = await proxy('POST', '/apis/apps/v1/namespaces/shop/deployments', {
    metadata: { name: 'api', labels },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container('registry.example.com/api:1.0.0')] } },
    },
  })
  expect(made.status, made.text).toBe(201)
  await proxy('PATCH', '/apis/apps/v1/namespaces/shop/deployments/api', {
    spec: {
      template: {
        metadata: { annotations: { 'sandbox.bey/behavior': 'crash' } },
        spec: { containers: [container('registry.example.com/api:1.1.0')] },
      },
    },
  })
})

const api = { cluster: prod.title, kind: 'Deployment', namespace: 'shop', name: 'api' }

describe('an assistant that may read', () => {
  test('is shown the tools that its key may use and no others, each with schemas and hints', async () => {
    const { client } = await assistant((await keyWith(...reading)).token)
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['needs_attention', 'explain_failure', 'what_changed', 'read_logs']),
    )
    expect(names).not.toContain('list_api_keys')
    expect(names).not.toContain('read_audit_log')
    for (const { inputSchema, outputSchema, annotations } of tools)
      expect([inputSchema.type, outputSchema?.type, typeof annotations?.readOnlyHint]).toEqual([
        'object',
        'object',
        'boolean',
      ])
  })

  test('finds what fails, why, what changed and what the log says', async () => {
    const { client, call: ask } = await assistant((await keyWith(...reading)).token)
    // From here on results are held to the output schemas by the client itself.
    await client.listTools()
    const found = await vi.waitUntil(
      async () => {
        const { result } = await ask('explain_failure', api)
        return result?.isFailing && result.cause !== null ? result : undefined
      },
      { timeout: soonMs, interval: 200 },
    )
    expect(found.remedies.map(({ action }: { action: string }) => action)).toContain('rollback')
    const attention = await ask('needs_attention')
    expect(attention.isError, attention.text).toBe(false)
    const changed = await ask('what_changed', { cluster: String(prod.id), minutes: 30 })
    expect(changed.isError, changed.text).toBe(false)
    const logs = await ask('read_logs', { ...api, tail: 20, previous: true })
    expect(logs.isError, logs.text).toBe(false)
    const workloads = await ask('list_workloads', { cluster: prod.title, namespace: 'shop' })
    expect(workloads.result.workloads).toMatchObject([{ name: 'api', desired: 2 }])
  })

  test('never sees a secret, neither of a Secret nor of the environment of a container', async () => {
    const { call: ask } = await assistant((await keyWith(...reading, 'kubernetes.secrets')).token)
    const object = await ask('get_object', api)
    expect(object.result.containers[0].environment).toEqual(['DB_PASSWORD', 'MODE'])
    const replies = [
      object,
      await ask('get_object', { ...api, kind: 'Secret', name: 'db' }),
      await ask('explain_failure', api),
      await ask('read_logs', api),
      await ask('what_changed', { cluster: prod.title }),
    ]
    for (const { text } of replies) expect(text).not.toContain(canary)
  })

  test('is told in a sentence what it asked wrongly or may not do', async () => {
    const key = await keyWith(...reading)
    const { call: ask } = await assistant(key.token)
    const cases: [string, Record<string, unknown>, string][] = [
      ['list_api_keys', {}, 'was not given the permission apiKeys.read'],
      ['no_such_tool', {}, 'There is no tool "no_such_tool". There are needs_attention'],
      ['explain_failure', { cluster: 'prod' }, 'kind: This field is required.'],
      ['explain_failure', { ...api, colour: 'red' }, 'There is no argument colour.'],
      [
        'explain_failure',
        { ...api, cluster: 'nowhere' },
        'There is no cluster "nowhere" among those that you may see:',
      ],
      ['get_object', { ...api, name: '../../secrets/db' }, 'name: Send the name of an object.'],
      ['get_object', { ...api, name: 'nothing' }, 'nothing'],
    ]
    for (const [name, input, sentence] of cases) {
      const { isError, text } = await ask(name, input)
      expect([name, isError]).toEqual([name, true])
      expect(text).toContain(sentence)
    }
    const entries = (await trail(key.id)).filter(({ action }) => action.startsWith('assistant.'))
    expect(new Set(entries.map(({ via }) => via))).toEqual(new Set(['mcp']))
    expect(entries.map(({ target_name: name, outcome }) => [name, outcome]).slice(0, 3)).toEqual([
      ['list_api_keys', 'denied'],
      ['no_such_tool', 'failure'],
      ['explain_failure', 'failure'],
    ])
  })

  test('stays within the limits of its key: its clusters, its addresses, its rate', async () => {
    const other = await cluster(organizationId, {
      url: sandbox.url,
      caPem: sandbox.caPem,
      token: sandbox.adminToken,
      impersonate: true,
    })
    const limited = await given.apiKey(owner, {
      permissions: reading,
      resources: [{ type: 'cluster', id: String(prod.id) }],
    })
    const { call: ask } = await assistant(limited.token)
    const { result } = await ask('list_clusters')
    expect(result.clusters.map(({ id }: { id: number }) => id)).toEqual([prod.id])
    const beyond = await ask('explain_failure', { ...api, cluster: String(other.id) })
    expect([beyond.isError, beyond.text]).toEqual([true, expect.stringContaining('is limited to cluster')])

    const away = await given.apiKey(owner, { permissions: reading, allowedAddresses: ['203.0.113.0/24'] })
    await expect(assistant(away.token)).rejects.toThrow(/may not be used from/)
    const near = await assistant(away.token, undefined, { 'x-forwarded-for': '203.0.113.9' })
    expect((await near.call('list_clusters')).isError).toBe(false)

    const slow = await given.apiKey(owner, { permissions: reading, requestsPerMinute: 5 })
    const hurried = await assistant(slow.token)
    await vi.waitUntil(
      async () => {
        const answered = await hurried.call('list_clusters').catch((error: unknown) => String(error))
        return typeof answered === 'string'
          ? /Too many requests/.test(answered)
          : /Too many requests/.test(answered.text)
      },
      { timeout: soonMs, interval: 1 },
    )
  })
})

describe('an assistant that may act', () => {
  const acting: Permission[] = [...reading, 'kubernetes.write']
  const objectOf = async (path: string) =>
    (
      await call('GET', `/api/kubernetes/clusters/${prod.id}/proxy${path}`, {
        token: owner.token,
        organizationId,
      })
    ).json()
  const deployment = () => objectOf('/apis/apps/v1/namespaces/shop/deployments/api')
  const configMap = async (name: string) => {
    await proxy('POST', '/api/v1/namespaces/shop/configmaps', { metadata: { name } })
    return { cluster: prod.title, kind: 'ConfigMap', namespace: 'shop', name }
  }
  const isThere = async (name: string) =>
    'uid' in ((await objectOf(`/api/v1/namespaces/shop/configmaps/${name}`))['metadata'] as object)

  test('finds and mends an incident under a key that may not delete, and is refused where it should be', async () => {
    const key = await given.apiKey(owner, { permissions: acting, name: 'incident-bot' })
    const { client, call: ask } = await assistant(key.token)
    const log = transcript()
    const step = async (said: string, name: string, input: Record<string, unknown> = {}) => {
      log.say(said)
      const called = await ask(name, input)
      log.record(name, input, called)
      return called
    }
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('delete_cluster')
    await vi.waitUntil(async () => (await ask('explain_failure', api)).result?.cause != null, {
      timeout: soonMs,
      interval: 200,
    })
    await vi.waitUntil(async () => (await ask('needs_attention')).result?.failing > 0, {
      timeout: soonMs,
      interval: 200,
    })

    await step('The assistant looks at what needs attention.', 'list_workloads', {
      cluster: prod.title,
      namespace: 'shop',
    })
    const why = await step('It asks why the workload fails.', 'explain_failure', api)
    expect(why.result.remedies[0].action).toBe('rollback')
    const input = { cluster: prod.title, namespace: 'shop', name: 'api' }
    const before = await deployment()
    const dry = await step(
      'The best remedy is to roll back; a dry run says what that would do.',
      'roll_back_workload',
      input,
    )
    expect(dry.result).toMatchObject({
      isApplied: false,
      before: 'api: registry.example.com/api:1.1.0',
      after: 'api: registry.example.com/api:1.0.0',
    })
    expect((await deployment())['spec']).toEqual(before['spec'])
    const done = await step(
      'The person agrees, and the assistant carries the plan out.',
      'roll_back_workload',
      { ...input, plan: dry.result.plan },
    )
    expect(done.result.isApplied, done.text).toBe(true)
    await vi.waitUntil(async () => (await ask('explain_failure', api)).result?.isFailing === false, {
      timeout: soonMs,
      interval: 200,
    })
    await step('A minute later it asks again.', 'explain_failure', api)

    const cluster = await step(
      'To tidy up, it would delete the cluster. Its key may not, and it was never shown that tool.',
      'delete_cluster',
      { cluster: prod.title },
    )
    expect([cluster.isError, cluster.text]).toEqual([
      true,
      expect.stringContaining('was not given the permission clusters.delete'),
    ])
    const target = await configMap('left-over')
    const plan = await step('It would delete an object. A dry run is allowed.', 'delete_object', target)
    const refused = await step(
      'Deleting needs the answer of a person, whom this client cannot ask.',
      'delete_object',
      { ...target, plan: plan.result.plan },
    )
    expect([refused.isError, refused.text]).toEqual([
      true,
      expect.stringContaining('this client cannot ask for one'),
    ])
    expect(await isThere('left-over')).toBe(true)

    const { asked, documented } = await log.compare()
    expect(asked).toEqual(documented)
    const entries = await trail(key.id)
    expect(new Set(entries.map(({ via }) => via))).toEqual(new Set(['mcp']))
    expect(entries.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(
      expect.arrayContaining(['assistant.act success', 'assistant.act denied', 'kubernetes.patch success']),
    )
    expect(JSON.stringify(entries)).not.toContain(canary)
  })

  test('destroys only what a person at the client has agreed to, unless its key needs nobody', async () => {
    const questions: string[] = []
    const remove = async (token: string, name: string, answer?: Answering) => {
      const target = await configMap(name)
      const { call: ask } = await assistant(token, answer)
      const { result } = await ask('delete_object', target)
      expect(result.needsConfirmation).toBe(true)
      const done = await ask('delete_object', { ...target, plan: result.plan })
      return [done.isError, await isThere(name)]
    }
    const key = await keyWith(...acting)
    expect(await remove(key.token, 'asked-no', (question) => questions.push(question) < 0)).toEqual([
      true,
      true,
    ])
    expect(await remove(key.token, 'asked-yes', (question) => questions.push(question) > 0)).toEqual([
      false,
      false,
    ])
    expect(questions[0]).toBe(`Delete ConfigMap shop/asked-no of ${prod.title}? Nothing makes it anew.`)
    expect(await remove((await keyWith(...acting, 'assistants.unattended')).token, 'unasked')).toEqual([
      false,
      false,
    ])
    // A login holds the permission by its role, and a person is there: they are asked.
    expect(await remove(owner.token, 'by-login')).toEqual([true, true])
  })

  test('carries a plan out once, for the very call, and not over the change of another', async () => {
    const { call: ask } = await assistant((await keyWith(...acting)).token)
    const scale = { ...api, replicas: 3 }
    const plan = async () => (await ask('scale_workload', scale)).result.plan as string
    const first = await plan()
    expect((await ask('scale_workload', { ...scale, replicas: 300, plan: first })).text).toContain(
      'is for another call',
    )
    expect((await ask('restart_workload', { ...api, plan: first })).text).toContain('is for another call')
    expect((await ask('scale_workload', { ...scale, plan: first })).isError).toBe(false)
    expect((await ask('scale_workload', { ...scale, plan: first })).text).toContain('was carried out already')
    const { call: other } = await assistant((await keyWith(...acting)).token)
    expect((await other('scale_workload', { ...scale, plan: await plan() })).isError).toBe(true)

    const image = { ...api, container: 'api', image: 'registry.example.com/api:2.0.0' }
    const { result } = await ask('set_image', image)
    expect((await ask('set_image', { ...image, plan: result.plan })).isError).toBe(false)
    const back = { cluster: prod.title, namespace: 'shop', name: 'api' }
    const stale = await ask('roll_back_workload', back)
    await proxy('PATCH', '/apis/apps/v1/namespaces/shop/deployments/api', { spec: { minReadySeconds: 1 } })
    expect((await ask('roll_back_workload', { ...back, plan: stale.result.plan })).isError).toBe(true)
    for (const [name, wrong, sentence] of [
      ['set_image', { ...image, container: 'web' }, 'has no container "web". It has api.'],
      ['roll_back_workload', { ...back, revision: 99 }, 'no revision 99'],
      ['scale_workload', { ...scale, kind: 'ConfigMap', name: 'kube-root-ca.crt' }, 'is none of them'],
    ] as const)
      expect((await ask(name, wrong)).text).toContain(sentence)
  })
})

describe('a session', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  }
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' }
  const send = (token: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${app.port}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const opened = async (token: string) => (await send(token, initialize)).headers.get('mcp-session-id') ?? ''

  test('answers its own key alone, and no other one of the same person', async () => {
    const [mine, other] = [await keyWith(...reading), await keyWith(...reading)]
    const id = await opened(mine.token)
    expect((await send(mine.token, list, { 'mcp-session-id': id })).status).toBe(200)
    expect((await send(other.token, list, { 'mcp-session-id': id })).status).toBe(404)
    await fetch(`http://127.0.0.1:${app.port}/mcp`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${other.token}`, 'mcp-session-id': id },
    })
    expect((await send(mine.token, list, { 'mcp-session-id': id })).status).toBe(200)
  })

  test('refuses pages of other sites, batches, and what is no message', async () => {
    const { token } = await keyWith(...reading)
    const cases: [unknown, Record<string, string>, number][] = [
      [initialize, { origin: 'https://evil.example' }, 403],
      [initialize, { origin: `http://127.0.0.1:${app.port}` }, 200],
      [[initialize], {}, 400],
      ['{', {}, 400],
      [list, {}, 400],
      [list, { 'mcp-session-id': '019f9aa2-0000-7000-8000-000000000000' }, 404],
    ]
    for (const [body, headers, status] of cases)
      expect([body, (await send(token, body, headers)).status]).toEqual([body, status])
    const read = await fetch(`http://127.0.0.1:${app.port}/mcp`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST, DELETE, OPTIONS'])
    expect((await send(`${token}x`, initialize)).status).toBe(401)
  })

  test('ends with its key, also while it waits for the answer of a person, and nothing is destroyed', async () => {
    const key = await keyWith(...reading, 'kubernetes.write')
    await proxy('POST', '/api/v1/namespaces/shop/configmaps', { metadata: { name: 'kept' } })
    const target = { cluster: prod.title, kind: 'ConfigMap', namespace: 'shop', name: 'kept' }
    const wasAsked = Promise.withResolvers<void>()
    const connected = await connectAssistant(httpTransport(app.port, key.token), () => {
      wasAsked.resolve()
      return new Promise<boolean>(() => undefined)
    })
    onTestFinished(() => connected.close())
    const { result } = await connected.call('delete_object', target)
    const acted = connected.call('delete_object', { ...target, plan: result.plan })
    await wasAsked.promise
    const revoked = await call('DELETE', `/api/api-keys/${key.id}`, { token: owner.token, organizationId })
    expect(revoked.status).toBe(204)
    expect(await acted).toMatchObject({ isError: true, text: expect.stringContaining('The session ended') })
    await expect(connected.call('list_clusters')).rejects.toThrow(/does not work|HTTP 401|Unauthorized/)
    const found = await call(
      'GET',
      `/api/kubernetes/clusters/${prod.id}/proxy/api/v1/namespaces/shop/configmaps/kept`,
      { token: owner.token, organizationId },
    )
    expect(found.status).toBe(200)
  })
})
