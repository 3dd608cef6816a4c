import { fileURLToPath } from 'node:url'
import type { Permission } from '@bey/contract'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { endAccess } from '../../platform/live/access-end.ts'
import { soonMs } from '../../testing/soon.ts'
import { type Answering, connectAssistant, httpTransport, transcript } from './testing/assistant.ts'
import { canary, incidentWorld, reading } from './testing/incident-world.ts'

const world = await incidentWorld()
const {
  app,
  given,
  call,
  owner,
  organizationId,
  home,
  prod,
  api,
  keyWith,
  assistant,
  proxy,
  configMap,
  trail,
} = world

describe('an assistant that may act', () => {
  const changing: Permission[] = [...reading, 'kubernetes.write']
  const acting: Permission[] = [...changing, 'kubernetes.delete']
  const deployment = async () => (await proxy('GET', '/apis/apps/v1/namespaces/shop/deployments/api')).json()
  const isThere = async (name: string) =>
    (await proxy('GET', `/api/v1/namespaces/shop/configmaps/${name}`)).status === 200

  test('finds and mends an incident under a key that may not delete, and is refused where it should be', async () => {
    const key = await given.apiKey(owner, { permissions: changing, name: 'incident-bot' })
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
    const object = await step('Nor may it delete an object of the cluster.', 'delete_object', target)
    expect([object.isError, object.text]).toEqual([
      true,
      expect.stringContaining('was not given the permission kubernetes.delete'),
    ])
    expect(await isThere('left-over')).toBe(true)

    const { asked, documented } = await log.compare()
    expect(asked).toEqual(documented)
    const entries = await trail(key.id)
    expect(new Set(entries.map(({ via }) => via))).toEqual(new Set(['mcp']))
    expect(entries.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(
      expect.arrayContaining([
        'assistant.act success',
        'assistant.plan denied',
        'kubernetes.rollback success',
      ]),
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

  test('ends with its key, also while it waits for the answer of a person, and nothing is destroyed', async () => {
    const key = await keyWith(...reading, 'kubernetes.delete')
    const target = await configMap('kept')
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
    const found = await proxy('GET', '/api/v1/namespaces/shop/configmaps/kept')
    expect(found.status).toBe(200)
  })
})

describe('bey mcp', () => {
  const bin = fileURLToPath(new URL('../../../../cli/bin/bey.mjs', import.meta.url))
  const stdio = (token: string) =>
    new StdioClientTransport({
      command: process.execPath,
      args: [bin, 'mcp'],
      env: { PATH: process.env['PATH'] ?? '', HOME: home, BEY_URL: app.address, BEY_TOKEN: token },
      stderr: 'pipe',
    })

  test('serves the same tools on standard input and output, with questions to the person', async () => {
    const key = await keyWith(...reading, 'kubernetes.delete')
    const questions: string[] = []
    const {
      client,
      call: ask,
      close,
    } = await connectAssistant(stdio(key.token), (text) => questions.push(text) > 0)
    onTestFinished(close)
    const overHttp = await assistant(key.token)
    const { tools } = await client.listTools()
    expect(tools).toEqual((await overHttp.client.listTools()).tools)
    const target = await configMap('by-stdio')
    const { result } = await ask('delete_object', target)
    expect((await ask('delete_object', { ...target, plan: result.plan })).isError).toBe(false)
    expect(questions).toHaveLength(1)

    // As after a restart of the server: the session is gone, and the client need not know.
    await app.database.withTenant(organizationId, (db) => endAccess(db, { kind: 'keyChange', keyId: key.id }))
    expect((await ask('list_clusters')).isError).toBe(false)
    await call('DELETE', `/api/api-keys/${key.id}`, { token: owner.token, organizationId })
    await expect(ask('list_clusters')).rejects.toThrow('This API key does not work')
  })

  test('without a login says what to do', async () => {
    await expect(connectAssistant(stdio('bey_key_wrong'), undefined)).rejects.toThrow('set BEY_TOKEN')
  })
})
