import { beforeAll, expect, test, vi } from 'vitest'
import { appWithSandbox } from '../kubernetes/testing/app-with-sandbox.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const patience = { timeout: 60_000, interval: 50 }

const { given, call, kube, connect, cluster, sandbox } = await appWithSandbox()
const owner = await given.user({ role: 'OWNER' })
const viewer = await given.user({ role: 'VIEWER', organizationId: owner.organizationId })
const prod = await connect(owner.organizationId)

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a reply is its own claim
type Json = Record<string, any>
async function ask(method: string, path: string, body?: object, token = owner.token) {
  const reply = await call(method, `/api/${path}`, {
    token,
    organizationId: owner.organizationId,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, text: reply.text, body: (reply.text ? reply.json() : {}) as Json }
}
const policyPath = (namespace: string, name = '') =>
  `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies/${name}`

let count = 0
/** Saves steps as a workflow, starts it, and answers how its run ended. */
async function run(...steps: [type: string, config: object][]): Promise<Json> {
  count += 1
  const named = steps.map(([type, config], index) => ({ key: `step_${index}`, name: type, type, config }))
  const outputs = Object.fromEntries(named.map(({ key }) => [key, `{{ steps.${key}.output }}`]))
  const created = await ask('POST', 'v1/workflows', {
    name: `flow-${count}`,
    state: 'active',
    steps: named.map((step, index) => ({ ...step, needs: index === 0 ? [] : [`step_${index - 1}`] })),
    outputs,
  })
  expect(created.status, created.text).toBe(201)
  const path = `v1/workflows/${created.body['workflow'].id}`
  const started = await ask('POST', `${path}/execute`, {})
  expect(started.status, started.text).toBe(202)
  return vi.waitFor(async () => {
    const { body } = await ask('GET', `${path}/runs/${started.body['run'].id}`)
    expect(['completed', 'failed']).toContain(body['run'].status)
    return body['run'] as Json
  }, patience)
}
const settled = (id: string, state: object) =>
  vi.waitFor(async () => expect((await ask('GET', `networks/${id}`)).body).toMatchObject(state), patience)

let networkId = ''
beforeAll(async () => {
  for (const name of ['shop', 'data', 'other']) {
    await kube('POST', '/api/v1/namespaces', { metadata: { name } })
    await kube('POST', `/api/v1/namespaces/${name}/pods`, {
      metadata: { name: 'main', labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'busybox', ports: [{ containerPort: 5432 }] }] },
    })
  }
  const made = await ask('POST', 'networks', {
    name: 'prod-eu',
    cidr: '10.42.0.0/16',
    isIsolated: true,
    attachments: [
      { kind: 'namespace', clusterId: prod.id, namespace: 'shop' },
      { kind: 'namespace', clusterId: prod.id, namespace: 'data' },
    ],
  })
  expect(made.status, made.text).toBe(201)
  networkId = made.body['id'] as string
  await settled(networkId, { status: 'active' })
  const group = await ask('POST', `networks/${networkId}/groups`, {
    name: 'database',
    rules: [
      {
        direction: 'in',
        protocol: 'tcp',
        ports: ['5432'],
        peer: { kind: 'namespace', namespace: 'shop' },
      },
    ],
    targets: [{ clusterId: prod.id, namespace: 'data', labels: { app: 'data' } }],
  })
  expect(group.status, group.text).toBe(201)
  await settled(networkId, { status: 'active' })
  await vi.waitFor(async () => {
    const { status } = (await kube('GET', '/api/v1/namespaces/data/pods/main')) as Json
    expect(status.podIP).toBeTruthy()
  }, patience)
})

test('a network is put right by a step, which says what it changed', async () => {
  await kube('DELETE', policyPath('data', 'bey-prod-eu-database'))
  await settled(networkId, { status: 'degraded', driftCount: 1 })
  const drifted = await run(['network.check', { network: 'prod-eu', within_ms: 0 }])
  expect(drifted['error'].message).toContain('"prod-eu" has drifted. The policy')

  const ended = await run(
    ['network.apply', { network: 'prod-eu' }],
    ['network.check', { network: networkId }],
    ['network.apply', { network: networkId, group: 'database' }],
  )
  expect(ended['error']).toBeNull()
  const { step_0: applied, step_1: checked, step_2: again } = ended['output']
  expect(applied).toMatchObject({
    changed_count: 1,
    changes: [{ action: 'created', namespace: 'data', name: 'bey-prod-eu-database' }],
  })
  expect(checked).toMatchObject({ answer: 'no_drift', sentence: expect.stringContaining('3 policies are') })
  expect(again).toMatchObject({ changed_count: 0, changes: [] })
  expect((await ask('GET', `networks/${networkId}`)).body['lastRun'].runId).toBe(again.run)
})

test('a gate goes on where the answer is as expected, and fails with the sentence where it is not', async () => {
  const question = {
    cluster: prod.id,
    from: 'pod:shop/main',
    to: 'pod:data/main',
    port: 5432,
  }
  const passed = await run(
    ['network.check', question],
    ['network.check', { ...question, from: 'address:203.0.113.7', expect: 'blocked' }],
  )
  expect(passed['error']).toBeNull()
  expect(passed['output']).toMatchObject({ step_0: { answer: 'yes' }, step_1: { answer: 'no' } })

  const refused = await run(['network.check', { ...question, from: 'pod:other/main', within_ms: 0 }])
  expect(refused['error'].message).toMatch(/^It is to be reachable, and is not\. ./)
  const open = await run(['network.check', { ...question, expect: 'blocked', within_ms: 0 }])
  expect(open['error'].message).toMatch(/^It is to be blocked, and is not\. ./)
  const unknown = await run(['network.check', { ...question, from: 'pod:shop/gone', within_ms: 0 }])
  expect(unknown['error'].message).toBe(
    'It is to be reachable. Not known: There is no pod shop/gone that runs.',
  )
})

test('a network that is not there is found before the run, and fails it; so does a group', async () => {
  const definition = {
    name: 'lost',
    input_schema: { type: 'object', properties: { network: { type: 'string' } } },
    steps: [
      { key: 'a', name: 'A', type: 'network.apply', config: { network: 'nowhere' } },
      { key: 'b', name: 'B', type: 'network.check', config: { network: '{{ inputs.network }}' } },
      { key: 'c', name: 'C', type: 'network.check', config: {} },
      {
        key: 'd',
        name: 'D',
        type: 'network.check',
        config: { cluster: 1, from: 'x', to: 'pod:a/b', port: 1 },
      },
    ],
  }
  const { body } = await ask('POST', 'v1/workflows/validate', { definition })
  const found = body['problems'].map(({ path, message }: Json) => `${path}: ${message}`) as string[]
  expect(found).toContain('steps[0].config.network: There is no network "nowhere" in this organization.')
  expect(found).toContain('steps[2].config.network: Name a network, or ask who reaches whom in a cluster.')
  expect(found).toContainEqual(expect.stringMatching(/^steps\[3\]\.config\.from: "x" names no end of a flow/))
  expect(found.some((each) => each.startsWith('steps[1]'))).toBe(false)

  const lost = await run(['network.apply', { network: 'nowhere' }])
  expect(lost['error'].message).toBe('There is no network "nowhere" in this organization.')
  const groupless = await run(['network.apply', { network: 'prod-eu', group: 'none' }])
  expect(groupless['error'].message).toBe('The network "prod-eu" has no security group "none".')
})

test('a step whose cluster is away says so, and a viewer’s run does not change a network', async () => {
  const away = await cluster(owner.organizationId, {
    url: 'https://127.0.0.1:1',
    caPem: sandbox.caPem,
    token: sandbox.adminToken,
    impersonate: true,
  })
  const unread = await run([
    'network.check',
    { cluster: away.id, from: 'pod:a/b', to: 'pod:c/d', port: 1, within_ms: 0 },
  ])
  expect(unread['status']).toBe('failed')
  expect(unread['error'].message).toBeTruthy()
  expect((await ask('POST', `networks/${networkId}/apply`, {}, viewer.token)).status).toBe(403)
})
