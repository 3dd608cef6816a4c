import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@bey/sandbox'
import { afterAll, expect, test, vi } from 'vitest'
import { runningApp } from '../../kubernetes/testing/running-app.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-groups-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const { given, cluster, call } = await runningApp()
const owner = await given.user({ role: 'OWNER' })
const connection = { url: sandbox.url, caPem: sandbox.caPem, token: sandbox.adminToken, impersonate: true }
const prod = await cluster(owner.organizationId, connection)

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a reply is its own claim
type Json = Record<string, any>
const sent = (method: string, url: string, token: string, body?: object) =>
  call(method, url, {
    token,
    ...(url.startsWith('/api/') && { organizationId: owner.organizationId }),
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
async function ask(method: string, path: string, body?: object) {
  const reply = await sent(method, `/api/networks${path}`, owner.token, body)
  return { status: reply.status, text: reply.text, body: (reply.text ? reply.json() : {}) as Json }
}
const kube = (method: string, path: string, body?: object) =>
  sent(method, `${sandbox.url}${path}`, sandbox.adminToken, body)
const policy = async (namespace: string, name: string) =>
  (
    await kube('GET', `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies/${name}`)
  ).json() as Json
const until = (claim: () => Promise<void>) => vi.waitFor(claim, { timeout: 60_000, interval: 50 })
const settled = (id: string, state: object = { status: 'active' }) =>
  until(async () => expect((await ask('GET', `/${id}`)).body).toMatchObject(state))

let count = 0
async function networkWith(...namespaces: string[]): Promise<string> {
  count += 1
  for (const name of namespaces) await kube('POST', '/api/v1/namespaces', { metadata: { name } })
  const made = await ask('POST', '', {
    name: `net-${count}`,
    cidr: `10.${40 + count}.0.0/16`,
    subnets: [{ name: 'office', cidr: `10.${40 + count}.1.0/24` }],
    attachments: namespaces.map((namespace) => ({ kind: 'namespace', clusterId: prod.id, namespace })),
  })
  expect(made.status, made.text).toBe(201)
  await settled(made.body['id'])
  return made.body['id'] as string
}
const target = (namespace: string, labels: object = {}) => ({ clusterId: prod.id, namespace, labels })
const allow = (peer: object, values: object = {}) => ({ direction: 'in', peer, ...values })

test('a group becomes a policy on each of its targets, and its rules exactly what they say', async () => {
  const id = await networkWith('web', 'data')
  const front = await ask('POST', `/${id}/groups`, {
    name: 'front',
    rules: [allow({ kind: 'anywhere' }, { protocol: 'tcp', ports: ['443', '8000-8100', 'http'] })],
    targets: [target('web', { app: 'front' })],
  })
  expect(front.status, front.text).toBe(201)
  await settled(id, { status: 'active', policyCount: 1 })
  expect((await policy('web', 'bey-net-1-front'))['spec']).toEqual({
    podSelector: { matchLabels: { app: 'front' } },
    policyTypes: ['Ingress'],
    ingress: [
      {
        ports: [
          { port: 443, protocol: 'TCP' },
          { port: 8000, endPort: 8100, protocol: 'TCP' },
          { port: 'http', protocol: 'TCP' },
        ],
      },
    ],
  })
  const database = await ask('POST', `/${id}/groups`, {
    name: 'database',
    filtersOut: true,
    rules: [
      allow({ kind: 'group', groupId: front.body['id'] }, { protocol: 'tcp', ports: ['5432'] }),
      allow({ kind: 'subnet', name: 'office' }),
    ],
    targets: [target('data'), target('data', { app: 'replica' })],
  })
  expect(database.status, database.text).toBe(201)
  await settled(id, { status: 'active', policyCount: 3 })
  expect((await policy('data', 'bey-net-1-database'))['spec']).toEqual({
    podSelector: {},
    policyTypes: ['Ingress', 'Egress'],
    ingress: [
      {
        ports: [{ port: 5432, protocol: 'TCP' }],
        from: [
          {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'web' } },
            podSelector: { matchLabels: { app: 'front' } },
          },
        ],
      },
      { from: [{ ipBlock: { cidr: '10.41.1.0/24' } }] },
    ],
  })
  expect((await policy('data', 'bey-net-1-database-2'))['spec'].podSelector).toEqual({
    matchLabels: { app: 'replica' },
  })

  // A group that nothing is left of lets nobody in: an empty list of peers would mean everybody.
  await ask('PATCH', `/${id}/groups/${front.body['id']}`, { targets: [] })
  await settled(id, { status: 'active', policyCount: 2 })
  expect((await policy('data', 'bey-net-1-database'))['spec'].ingress).toEqual([
    { from: [{ ipBlock: { cidr: '10.41.1.0/24' } }] },
  ])
  const used = await ask('DELETE', `/${id}/groups/${front.body['id']}`)
  expect([used.status, used.body['detail']]).toEqual([
    409,
    '"front" was left alone: rules of database name it. Change them first.',
  ])
  expect((await ask('DELETE', `/${id}/groups/${database.body['id']}`)).status).toBe(204)
  await settled(id, { status: 'active', policyCount: 0 })
  expect((await policy('data', 'bey-net-1-database'))['code']).toBe(404)
})

test('a plan shows what a change of rules would write, and what is wrong stands at its field', async () => {
  const id = await networkWith('planned')
  const rules = [allow({ kind: 'namespace', namespace: 'web' }, { protocol: 'tcp', ports: ['80'] })]
  const plan = (body: object) => ask('POST', `/${id}/groups/plan`, { name: 'p', ...body })
  const { body } = await plan({ rules, targets: [target('planned')] })
  expect(body).toMatchObject({ problems: [], policies: [{ action: 'create', name: 'bey-net-2-p' }] })
  expect((await plan({ rules, targets: [target('elsewhere')] })).body['problems']).toMatchObject([
    { path: 'targets.0' },
  ])
  const refused = await ask('POST', `/${id}/groups`, {
    name: 'p',
    rules: [allow({ kind: 'anywhere' }, { protocol: 'tcp', ports: ['90-80'] })],
  })
  expect([refused.status, refused.body['errors']]).toMatchObject([
    400,
    [{ path: 'rules.0.ports', message: '"90-80" runs backwards: write 80-90.' }],
  ])
  expect((await ask('GET', `/${id}/groups`)).body['groups']).toEqual([])
  const none = '0190a000-0000-7000-8000-000000000000'
  for (const [part, path, message] of [
    [{ peer: { kind: 'range', cidr: '10.0.0.0 /8' } }, 'rules.0.peer', 'without spaces'],
    [{ peer: { kind: 'range', cidr: '10.0.0.0/08' } }, 'rules.0.peer', 'without leading zeros'],
    [{ peer: { kind: 'range', cidr: '::ffff:10.0.0.0/104' } }, 'rules.0.peer', 'Write it as IPv4'],
    [{ peer: { kind: 'subnet', name: 'gone' } }, 'rules.0.peer', 'no subnet "gone" any more'],
    [{ peer: { kind: 'set', name: 'gone' } }, 'rules.0.peer', 'no named set "gone" any more'],
    [{ peer: { kind: 'group', groupId: none } }, 'rules.0.peer', 'is gone'],
    [{ peer: { kind: 'database', databaseId: none } }, 'rules.0.peer', 'is gone'],
    [{ peer: { kind: 'planet' } }, 'rules.0.peer.kind', 'Send one of anywhere, range,'],
    [
      { peer: { kind: 'workload', namespace: 'web', labels: { 'a b': '' } } },
      'rules.0.peer.labels.a b',
      'This is no key of a label.',
    ],
    [{ protocol: 'tcp', ports: ['65536'] }, 'rules.0.ports', 'numbers from 1 to 65535'],
    [{ protocol: 'tcp', ports: ['80--90'] }, 'rules.0.ports', 'is no port'],
    [{ ports: ['80'] }, 'rules.0.ports', 'Ports belong to a protocol'],
  ] as const) {
    const reply = await ask('POST', `/${id}/groups`, {
      name: 'p',
      rules: [{ ...allow({ kind: 'anywhere' }), ...part }],
      targets: [target('planned')],
    })
    expect([reply.status, reply.body['errors']], reply.text).toMatchObject([
      400,
      [{ path, message: expect.stringContaining(message) }],
    ])
  }
  const many = await ask('POST', `/${id}/groups/plan`, { name: 'p', rules: Array(201).fill(rules[0]) })
  expect([many.status, many.body['errors'][0].message]).toEqual([400, 'Send at most 200 items.'])

  // One that is put on nothing is no concern of a cluster: the network goes on being active.
  const { body: made } = await ask('POST', `/${id}/groups`, { name: 'nowhere', rules })
  const changed = await ask('PATCH', `/${id}/groups/${made['id']}`, { rules: [] })
  expect([changed.status, (await ask('GET', `/${id}`)).body['status']]).toEqual([200, 'active'])
})

test('two people who edit one group do not overwrite each other, and a target keeps its namespace', async () => {
  const id = await networkWith('edited')
  const { body: group } = await ask('POST', `/${id}/groups`, { name: 'g', targets: [target('edited')] })
  await settled(id)
  const change = (body: object) => ask('PATCH', `/${id}/groups/${group['id']}`, body)
  const { version } = group as { version: number }
  expect((await change({ description: 'One', version })).status).toBe(200)
  const late = await change({ description: 'Two', version })
  expect([late.status, late.body['code']]).toEqual([409, 'conflict'])
  const detached = await ask('PATCH', `/${id}`, { attachments: [] })
  expect([detached.status, detached.body['detail']]).toEqual([
    400,
    'The security group g stands against it. Its cluster does not take part in this network. Attach it first.',
  ])
  const again = await ask('POST', `/${id}/groups`, { name: 'G'.toLowerCase() })
  expect([again.status, again.body['code']]).toEqual([409, 'name_taken'])
})

test('a service as a peer stands for its pods on their ports, and what becomes of it is said', async () => {
  const id = await networkWith('callers', 'called')
  const services = '/api/v1/namespaces/called/services'
  const made = await kube('POST', services, {
    metadata: { name: 'orders' },
    spec: {
      selector: { app: 'orders' },
      ports: [
        { name: 'sql', port: 5432, targetPort: 'postgres' },
        { name: 'admin', port: 80, targetPort: 8080 },
      ],
    },
  })
  expect(made.status, made.text).toBe(201)
  await kube('POST', services, { metadata: { name: 'bare' }, spec: { ports: [{ port: 80 }] } })
  const peer = (name: string) => ({ kind: 'service', namespace: 'called', name })
  const draft = (rule: object) => ({
    name: 'callers',
    filtersOut: true,
    rules: [{ direction: 'out', ...rule }],
    targets: [target('callers')],
  })
  const refused = async (rule: object) => {
    const { body: plan } = await ask('POST', `/${id}/groups/plan`, draft(rule))
    const { status, body } = await ask('POST', `/${id}/groups`, draft(rule))
    expect([status, body['errors']]).toEqual([400, plan['problems']])
    return plan['problems'] as Json[]
  }
  const title = prod.title
  expect(await refused({ peer: peer('gone') })).toEqual([
    { path: 'rules.0.peer', message: `There is no service called/gone in ${title}.` },
  ])
  expect(await refused({ peer: peer('bare') })).toMatchObject([
    { path: 'rules.0.peer', message: expect.stringContaining('has no selector') },
  ])
  expect(await refused({ peer: peer('orders'), protocol: 'tcp', ports: ['443'] })).toEqual([
    {
      path: 'rules.0.ports',
      message: 'The service called/orders has none of these ports; it has 5432/TCP, 80/TCP.',
    },
  ])

  const group = await ask('POST', `/${id}/groups`, {
    ...draft({ peer: peer('orders'), protocol: 'tcp', ports: ['5432'] }),
    rules: [
      { direction: 'out', peer: peer('orders'), protocol: 'tcp', ports: ['5432'] },
      { direction: 'in', peer: peer('orders'), protocol: 'tcp', ports: ['9000'] },
    ],
  })
  expect(group.status, group.text).toBe(201)
  await settled(id)
  const pods = (app: string) => ({
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'called' } },
    podSelector: { matchLabels: { app } },
  })
  const { name } = (await ask('GET', `/${id}`)).body
  const spec = async () => (await policy('callers', `bey-${name}-callers`))['spec'] as Json
  expect(await spec()).toMatchObject({
    egress: [{ ports: [{ port: 'postgres', protocol: 'TCP' }], to: [pods('orders')] }],
    ingress: [{ ports: [{ port: 9000, protocol: 'TCP' }], from: [pods('orders')] }],
  })

  await call('PATCH', `${sandbox.url}${services}/orders`, {
    token: sandbox.adminToken,
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ spec: { selector: { app: 'orders-2' } } }),
  })
  await ask('POST', `/${id}/apply`)
  await settled(id)
  expect((await spec())['egress']).toMatchObject([{ to: [pods('orders-2')] }])
})

test('a named set is one peer of many ranges, changes with its network, and is kept while a rule names it', async () => {
  const id = await networkWith('partners')
  const sets = [{ name: 'partners', cidrs: ['203.0.113.0/24', '198.51.100.7/32'] }]
  const faulty = [
    [{ name: 'Partners', cidrs: ['203.0.113.0/24'] }, 'sets.0.name'],
    [{ name: 'partners', cidrs: [] }, 'sets.0.cidrs'],
    [{ name: 'partners', cidrs: ['203.0.113.0/33'] }, 'sets.0.cidrs'],
    [{ name: 'partners', cidrs: ['203.0.113.0/24', '203.0.113.0/24'] }, 'sets.0.cidrs'],
  ] as const
  for (const [set, path] of faulty) {
    const refused = await ask('PATCH', `/${id}`, { sets: [set] })
    expect([refused.status, refused.body['errors'][0].path]).toEqual([400, path])
  }
  const rules = [allow({ kind: 'set', name: 'partners' }, { protocol: 'tcp', ports: ['443'] })]
  const early = await ask('POST', `/${id}/groups`, { name: 'api', rules, targets: [target('partners')] })
  expect([early.status, early.body['detail']]).toEqual([
    400,
    'This network has no named set "partners" any more. Choose another peer.',
  ])
  expect((await ask('PATCH', `/${id}`, { sets })).body).toMatchObject({ sets })
  await settled(id)
  await ask('POST', `/${id}/groups`, { name: 'api', rules, targets: [target('partners')] })
  await settled(id, { status: 'active', policyCount: 1 })
  const name = `bey-net-${count}-api`
  const ranges = async () => (await policy('partners', name))['spec'].ingress[0].from
  expect(await ranges()).toEqual(sets[0]?.cidrs.map((cidr) => ({ ipBlock: { cidr } })))

  // One change of the set reaches every rule that names it.
  await ask('PATCH', `/${id}`, { sets: [{ name: 'partners', cidrs: ['192.0.2.0/24'] }] })
  await settled(id)
  expect(await ranges()).toEqual([{ ipBlock: { cidr: '192.0.2.0/24' } }])
  const gone = await ask('PATCH', `/${id}`, { sets: [] })
  expect([gone.status, gone.body['errors'][0]]).toEqual([
    400,
    {
      path: 'sets',
      message:
        'The security group api stands against it. This network has no named set "partners" any more. Choose another peer.',
    },
  ])
})
