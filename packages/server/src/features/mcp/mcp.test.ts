import { describe, expect, test, vi } from 'vitest'
import { soonMs } from '../../testing/soon.ts'
import { httpTransport } from './testing/assistant.ts'
import { canary, incidentWorld, reading } from './testing/incident-world.ts'

const { app, given, owner, prod, api, addCluster, keyWith, assistant, trail } = await incidentWorld()

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

  test('attaches resources and fills in prompts, those that its key may use', async () => {
    const key = await keyWith(...reading)
    const { client } = await assistant(key.token)
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['bey://attention', 'bey://clusters'])
    const { contents } = await client.readResource({ uri: `bey://clusters/${prod.title}/workloads` })
    expect(JSON.parse((contents[0] as { text: string }).text).workloads).toMatchObject([
      { cluster: prod.title },
    ])
    await expect(client.readResource({ uri: 'bey://runs' })).rejects.toThrow(
      'was not given the permission workflows.read',
    )
    await expect(client.readResource({ uri: 'bey://clusters/%zz/workloads' })).rejects.toThrow(
      'There is no resource',
    )
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['incident', 'deployment_review'])
    const review = {
      name: 'deployment_review',
      arguments: { cluster: 'prod', namespace: 'shop', name: 'api' },
    }
    expect(JSON.stringify(await client.getPrompt(review))).toContain(
      'Deployment shop/api in the cluster prod',
    )
    await expect(client.getPrompt({ name: 'deployment_review' })).rejects.toThrow(
      'needs cluster, namespace, name',
    )
    expect((await trail(key.id)).map(({ target_name: name }) => name)).toEqual([
      'list_workloads',
      'list_runs',
    ])
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
    const other = await addCluster()
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

  test('that another server holds is answered 404 with what to do, and the client begins a new one', async () => {
    const { token } = await keyWith(...reading)
    // As on the server to which a balancer sends the next message.
    const elsewhere = httpTransport(app.port, token, { 'mcp-session-id': crypto.randomUUID() })
    await elsewhere.start()
    const asked = elsewhere.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    await expect(asked).rejects.toMatchObject({
      code: 404,
      message: expect.stringContaining('Begin a new one with initialize.'),
    })
    await elsewhere.close()
    const after = await assistant(token)
    expect((await after.call('list_clusters')).isError).toBe(false)
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
})
