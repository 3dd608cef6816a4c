import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@bey/sandbox'
import { afterAll, expect, test, vi } from 'vitest'
import type { GivenUser } from '../../testing/given.ts'
import { runningApp } from '../kubernetes/testing/running-app.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-networks-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const { given, cluster, call } = await runningApp()
const owner = await given.user({ role: 'OWNER' })
const { organizationId } = owner
const connection = { url: sandbox.url, caPem: sandbox.caPem, token: sandbox.adminToken, impersonate: true }
const prod = await cluster(organizationId, connection)

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a reply is its own claim
type Json = Record<string, any>
async function ask(method: string, path: string, body?: object, user: GivenUser = owner) {
  const reply = await call(method, `/api/networks${path}`, {
    token: user.token,
    organizationId: user.organizationId,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  return { status: reply.status, text: reply.text, body: (reply.text ? reply.json() : {}) as Json }
}
const kube = (method: string, path: string, body?: object, contentType = 'application/json') =>
  call(method, `${sandbox.url}${path}`, {
    token: sandbox.adminToken,
    headers: { 'content-type': contentType },
    ...(body && { body: JSON.stringify(body) }),
  })
const policies = '/apis/networking.k8s.io/v1/namespaces'
const until = (claim: () => Promise<void>) => vi.waitFor(claim, { timeout: 60_000, interval: 50 })
const namespace = async (name: string) => {
  await kube('POST', '/api/v1/namespaces', { metadata: { name } })
  return { kind: 'namespace', clusterId: prod.id, namespace: name }
}
async function active(body: object): Promise<Json> {
  const made = await ask('POST', '', body)
  expect(made.status, made.text).toBe(201)
  expect(made.body).toMatchObject({ status: 'pending' })
  await reaches(made.body['id'], { status: 'active' })
  return made.body
}
const reaches = (id: string, state: object) =>
  until(async () => expect((await ask('GET', `/${id}`)).body).toMatchObject(state))

test('an isolated network puts a policy into each of its namespaces, and says so', async () => {
  const [shop, payments] = [await namespace('shop'), await namespace('payments')]
  const { id } = await active({
    name: 'prod-eu',
    cidr: '10.42.0.0/16',
    isIsolated: true,
    subnets: [{ name: 'nodes', cidr: '10.42.0.0/19' }],
    attachments: [shop, payments],
  })
  expect((await ask('GET', `/${id}`)).body).toMatchObject({
    health: { state: 'healthy' },
    policyCount: 2,
    driftCount: 0,
    attachments: [
      { kind: 'namespace', namespace: 'payments', clusterId: prod.id },
      { kind: 'namespace', namespace: 'shop' },
    ],
    subnets: [{ name: 'nodes', cidr: '10.42.0.0/19', description: '' }],
  })
  const live = (await kube('GET', `${policies}/shop/networkpolicies/bey-prod-eu`)).json() as Json
  expect(live['metadata']['labels']).toMatchObject({ 'bey.dev/network': id })
  expect(live['spec']).toEqual({
    podSelector: {},
    policyTypes: ['Ingress'],
    ingress: [
      {
        from: [
          {
            namespaceSelector: {
              matchExpressions: [
                { key: 'kubernetes.io/metadata.name', operator: 'In', values: ['payments', 'shop'] },
              ],
            },
          },
          { ipBlock: { cidr: '10.42.0.0/16' } },
        ],
      },
    ],
  })

  // Somebody edits one with kubectl: the network says which, and puts it right when asked.
  await kube(
    'PATCH',
    `${policies}/shop/networkpolicies/bey-prod-eu?fieldManager=kubectl-edit`,
    { spec: { ingress: [{}] } },
    'application/merge-patch+json',
  )
  await reaches(id, { status: 'degraded', driftCount: 1 })
  expect((await ask('GET', `/${id}`)).body['reason']).toMatch(
    /^The policy shop\/bey-prod-eu in .* differs from its definition in Bey\.$/,
  )
  expect((await ask('POST', `/${id}/apply`)).status).toBe(202)
  await reaches(id, { status: 'active', driftCount: 0, reason: null })
  const again = (await kube('GET', `${policies}/shop/networkpolicies/bey-prod-eu`)).json() as Json
  expect(again['spec']).toEqual(live['spec'])

  // What is attached keeps it from being deleted; detached, its policies go with it.
  const refused = await ask('DELETE', `/${id}`)
  expect([refused.status, refused.body['detail']]).toEqual([
    409,
    '"prod-eu" was left alone: 2 things are attached to it. Detach them first. Attached: payments, shop.',
  ])
  await ask('PATCH', `/${id}`, { attachments: [] })
  await reaches(id, { status: 'active', policyCount: 0 })
  expect((await kube('GET', `${policies}/shop/networkpolicies/bey-prod-eu`)).status).toBe(404)
  expect((await ask('DELETE', `/${id}`)).status).toBe(202)
  await until(async () => expect((await ask('GET', `/${id}`)).status).toBe(404))
})

test('a plan shows what would be written, and stores nothing', async () => {
  const attachments = [await namespace('planned')]
  const { body } = await ask('POST', '/plan', { cidr: '10.50.0.0/16', isIsolated: true, attachments })
  expect(body['problems']).toEqual([])
  expect(body['policies']).toMatchObject([{ action: 'create', namespace: 'planned', before: null }])
  expect(body['policies'][0].after).toContain('kind: NetworkPolicy')
  expect((await ask('GET', '?search=10.50')).body['networks']).toEqual([])
  expect((await kube('GET', `${policies}/planned/networkpolicies`)).json()).toMatchObject({ items: [] })
})

test('ranges that overlap are refused with both named', async () => {
  await active({ name: 'first', cidr: '10.44.0.0/16' })
  const problems = async (body: object) => {
    const reply = await ask('POST', '', { name: 'second', cidr: '10.45.0.0/16', ...body })
    expect(reply.status, reply.text).toBe(400)
    return reply.body['errors'] as { path: string; message: string }[]
  }
  expect(await problems({ cidr: '10.44.128.0/20' })).toEqual([
    {
      path: 'cidr',
      message:
        '10.44.128.0/20 and the network first (10.44.0.0/16) have 4,096 addresses in common. Choose a range apart from it.',
    },
  ])
  expect((await problems({ cidr: '10.96.0.0/24' }))[0]?.message).toMatch(
    /^10\.96\.0\.0\/24 and the services of the cluster .* \(10\.96\.0\.0\/16\) have 256 addresses/,
  )
  expect((await problems({ cidr: '10.45.0.0/33' }))[0]?.path).toBe('cidr')
  expect(await problems({ subnets: [{ name: 'a', cidr: '10.46.0.0/24' }] })).toMatchObject([
    { path: 'subnets.0.cidr', message: '10.46.0.0/24 does not lie within the network (10.45.0.0/16).' },
  ])
  expect(await problems({ cidr6: '2001:db8::/32' })).toMatchObject([{ path: 'cidr6' }])
  expect(await problems({ attachments: [{ kind: 'cluster', clusterId: 999_999 }] })).toMatchObject([
    { path: 'attachments.0', message: 'There is no cluster 999999 in this organization.' },
  ])
})

test('two who claim the same range at the same moment do not both get it', async () => {
  const replies = await Promise.all(
    ['one', 'two', 'three'].map((name) => ask('POST', '', { name, cidr: '10.60.0.0/16' })),
  )
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400])
})

test('a namespace takes part in one network', async () => {
  const attachments = [await namespace('single')]
  const { id } = await active({ name: 'holder', cidr: '10.61.0.0/16', attachments })
  const reply = await ask('POST', '', { name: 'other', cidr: '10.62.0.0/16', attachments })
  expect(reply.body['errors']).toMatchObject([
    { message: 'It takes part in the network holder already. Detach it there first.' },
  ])
  // A change that others did not see is not overwritten.
  const { version } = (await ask('GET', `/${id}`)).body
  await ask('PATCH', `/${id}`, { description: 'One' })
  const late = await ask('PATCH', `/${id}`, { description: 'Two', version })
  expect([late.status, late.body['code']]).toEqual([409, 'conflict'])
  expect((await ask('GET', `/${id}`)).body['description']).toBe('One')
})

test('a cluster that is away leaves the rest done, says what is missing, and applying again finishes it', async () => {
  const gone = await cluster(organizationId, { ...connection, url: 'https://127.0.0.1:9' })
  const here = await namespace('here')
  const made = await ask('POST', '', {
    name: 'half',
    cidr: '10.63.0.0/16',
    isIsolated: true,
    attachments: [here, { kind: 'namespace', clusterId: gone.id, namespace: 'there' }],
  })
  expect(made.status, made.text).toBe(201)
  const { id } = made.body
  await reaches(id, { status: 'error', policyCount: 1 })
  const { reason } = (await ask('GET', `/${id}`)).body
  expect(reason).toMatch(
    /1 policy is in force, but not all: .*does not answer.*Apply it again to finish it\.$/,
  )
  expect((await kube('GET', `${policies}/here/networkpolicies/bey-half`)).status).toBe(200)
  await ask('PATCH', `/${id}`, { attachments: [here] })
  await reaches(id, { status: 'active', policyCount: 1 })
})

test('a policy of the same name that is not the network’s is left alone', async () => {
  const attachments = [await namespace('taken')]
  const spec = { podSelector: {}, policyTypes: ['Egress'] }
  await kube('POST', `${policies}/taken/networkpolicies`, { metadata: { name: 'bey-guest' }, spec })
  const { body } = await ask('POST', '', {
    name: 'guest',
    cidr: '10.64.0.0/16',
    isIsolated: true,
    attachments,
  })
  await reaches(body['id'], { status: 'error' })
  expect((await ask('GET', `/${body['id']}`)).body['reason']).toContain(
    'The policy taken/bey-guest is there already and not this network’s.'.replace('’', "'"),
  )
  const live = (await kube('GET', `${policies}/taken/networkpolicies/bey-guest`)).json() as Json
  expect(live['spec']).toEqual(spec)
})

test('addresses are listed with who has them, and the palette finds a network', async () => {
  const user = await given.user({ role: 'MEMBER' })
  const { id: clusterId } = await cluster(user.organizationId, connection)
  const { claims, unread } = (await ask('GET', '/space', undefined, user)).body
  expect(unread).toEqual([])
  expect(claims).toContainEqual(expect.objectContaining({ kind: 'pods', clusterId }))
  expect(claims).toContainEqual(
    expect.objectContaining({ kind: 'services', clusterId, cidr: '10.96.0.0/16' }),
  )
  // The cluster takes the addresses of its services out of its own network, and out of no other.
  const body = { name: 'whole', cidr: '10.96.0.0/12' }
  expect((await ask('POST', '', body, user)).status).toBe(400)
  const attachments = [{ kind: 'cluster', clusterId }]
  const made = await ask('POST', '', { ...body, attachments }, user)
  expect(made.status, made.text).toBe(201)
  const { id } = made.body
  const { addresses, total } = (await ask('GET', `/${id}/addresses`, undefined, user)).body
  expect(total).toBe(addresses.length)
  expect(addresses).toContainEqual(
    expect.objectContaining({ address: '10.96.0.1', kind: 'service', name: 'kubernetes' }),
  )
  const one = (await ask('GET', `/${id}/addresses?search=10.96.0.1`, undefined, user)).body
  expect(one['addresses']).toHaveLength(1)
  expect((await ask('GET', '?search=10.97.3.1', undefined, user)).body['networks']).toMatchObject([
    { name: 'whole' },
  ])
  const { token, organizationId: of } = user
  const found = await call('GET', '/api/palette?search=hole', { token, organizationId: of })
  expect(found.json()['items']).toMatchObject([{ type: 'network', title: 'whole' }])
})

test('members of other organizations and viewers keep out', async () => {
  const { body } = await ask('GET', '?search=first')
  const id = body['networks'][0]?.id as string
  const stranger = await given.user({ role: 'OWNER' })
  expect((await ask('GET', `/${id}`, undefined, stranger)).status).toBe(404)
  const viewer = await given.user({ role: 'VIEWER', organizationId })
  expect((await ask('GET', `/${id}`, undefined, viewer)).status).toBe(200)
  expect((await ask('POST', '', { name: 'no', cidr: '10.70.0.0/16' }, viewer)).status).toBe(403)
  expect((await ask('DELETE', `/${id}`, undefined, viewer)).status).toBe(403)
})
