import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@bey/sandbox'
import { afterAll, expect, test, vi } from 'vitest'
import { runningApp } from '../../kubernetes/testing/running-app.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const home = await mkdtemp(join(tmpdir(), 'bey-drift-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const { given, cluster, call } = await runningApp()
const owner = await given.user({ role: 'OWNER' })
const viewer = await given.user({ role: 'VIEWER', organizationId: owner.organizationId })
const connection = { url: sandbox.url, caPem: sandbox.caPem, token: sandbox.adminToken, impersonate: true }
const prod = await cluster(owner.organizationId, connection)

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a reply is its own claim
type Json = Record<string, any>
async function ask(method: string, path: string, body?: object, { token } = owner, key?: string) {
  const reply = await call(method, `/api/networks${path}`, {
    token,
    organizationId: owner.organizationId,
    headers: { 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, body: (reply.text ? reply.json() : {}) as Json }
}
const kube = (method: string, path: string, body?: object, type = 'application/json') =>
  call(method, `${sandbox.url}${path}`, {
    token: sandbox.adminToken,
    headers: { 'content-type': type },
    ...(body && { body: JSON.stringify(body) }),
  })
const pathOf = (namespace: string, name: string) =>
  `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies/${name}`
const spec = async (namespace: string, name: string) =>
  ((await kube('GET', pathOf(namespace, name))).json() as Json)['spec'] as Json | undefined
const edit = (namespace: string, name: string, body: object) =>
  kube(
    'PATCH',
    `${pathOf(namespace, name)}?fieldManager=kubectl-edit`,
    { spec: body },
    'application/merge-patch+json',
  )
const until = (claim: () => Promise<void>) => vi.waitFor(claim, { timeout: 60_000, interval: 50 })
const settled = (id: string, state: object = { status: 'active' }) =>
  until(async () => expect((await ask('GET', `/${id}`)).body).toMatchObject(state))

let count = 0
/** A network whose group `db` lets `front` in on 5432, in both of its namespaces. */
async function networkOf(isIsolated = false) {
  count += 1
  const [one, two] = [`one-${count}`, `two-${count}`]
  for (const name of [one, two]) await kube('POST', '/api/v1/namespaces', { metadata: { name } })
  const made = await ask('POST', '', {
    name: `net-${count}`,
    cidr: `10.${60 + count}.0.0/16`,
    isIsolated,
    attachments: [one, two].map((namespace) => ({ kind: 'namespace', clusterId: prod.id, namespace })),
  })
  const id = made.body['id'] as string
  await settled(id)
  const peer = { kind: 'workload', namespace: one, labels: { app: 'front' } }
  const group = await ask('POST', `/${id}/groups`, {
    name: 'db',
    rules: [{ direction: 'in', protocol: 'tcp', ports: ['5432'], peer, note: 'orders' }],
    targets: [one, two].map((namespace) => ({ clusterId: prod.id, namespace })),
  })
  await settled(id)
  return { id, one, two, name: `bey-net-${count}-db`, groupId: group.body['id'] as string }
}
async function pathTo(id: string, namespace: string, name: string) {
  const { body } = await ask('GET', `/${id}/policies`)
  const policy = (body['policies'] as Json[]).find(
    (each) => each['namespace'] === namespace && each['name'] === name,
  )
  return `/${id}/policies/${policy?.['id']}/take-over`
}
const debug = (from: string) => ({
  from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': from } } }],
  ports: [{ protocol: 'TCP', port: 9229 }],
})

test('a drift becomes the rules of its group, on every target of it', async () => {
  const { id, one, two, name, groupId } = await networkOf()
  const before = (await spec(one, name)) ?? {}
  await edit(one, name, { ingress: [...before['ingress'], debug(two)] })
  await settled(id, { status: 'degraded', driftCount: 1 })
  const path = await pathTo(id, one, name)
  const { body: plan } = await ask('GET', path, undefined, viewer)
  const rules = [
    { protocol: 'tcp', ports: ['5432'], note: 'orders' },
    { direction: 'in', protocol: 'tcp', ports: ['9229'], peer: { kind: 'namespace', namespace: two } },
  ]
  expect(plan).toMatchObject({
    refusal: null,
    group: { id: groupId, name: 'db', version: 1, before: { rules: [rules[0]] }, after: { rules } },
    policies: [{ action: 'change', namespace: two, name }],
    unread: [],
  })
  const taken = { found: plan['found'], version: 1 }
  expect((await ask('POST', path, taken, viewer)).status).toBe(403)
  const started = await ask('POST', path, taken, owner, 'taken-once')
  expect([started.status, started.body['message']]).toMatchObject([
    202,
    expect.stringContaining(`${one}/${name}`),
  ])
  await settled(id, { status: 'active', driftCount: 0 })
  // Repeated with its key, it answers the same, though there is nothing to take over any more.
  expect(await ask('POST', path, taken, owner, 'taken-once')).toEqual(started)
  expect((await ask('GET', `/${id}/groups/${groupId}`)).body).toMatchObject({ rules, version: 2 })
  expect((await spec(one, name))?.['ingress']).toHaveLength(2)
  expect((await spec(two, name))?.['ingress']).toEqual((await spec(one, name))?.['ingress'])
  const again = await ask('GET', path)
  expect([again.status, again.body['detail']]).toMatchObject([
    409,
    expect.stringMatching(/nothing to take over/),
  ])
})

test('a drift that changed since it was seen is left alone, and so is a group that changed', async () => {
  const { id, one, two, name, groupId } = await networkOf()
  await edit(one, name, { ingress: [debug(two)] })
  const path = await pathTo(id, one, name)
  const { body: plan } = await ask('GET', path)
  await edit(one, name, { ingress: [debug(one)] })
  const late = await ask('POST', path, { found: plan['found'], version: 1 })
  expect([late.status, late.body['detail']]).toMatchObject([
    409,
    expect.stringMatching(/changed in its cluster/),
  ])
  const { body: next } = await ask('GET', path)
  expect((await ask('POST', path, { found: next['found'], version: 7 })).body['detail']).toMatch(
    /security group was changed here/,
  )
  expect((await ask('GET', `/${id}/groups/${groupId}`)).body).toMatchObject({ version: 1 })
})

test('a deleted policy takes its target from the group', async () => {
  const { id, one, two, name, groupId } = await networkOf()
  await kube('DELETE', pathOf(one, name))
  await settled(id, { status: 'degraded' })
  const path = await pathTo(id, one, name)
  const { body: plan } = await ask('GET', path)
  expect(plan).toMatchObject({ found: 'missing', refusal: null, policies: [] })
  expect((await ask('POST', path, { found: 'missing', version: 1 })).status).toBe(202)
  await settled(id, { status: 'active', policyCount: 1 })
  expect((await ask('GET', `/${id}/groups/${groupId}`)).body).toMatchObject({
    targets: [{ namespace: two }],
  })
  expect(await spec(one, name)).toBeUndefined()
})

test('what rules cannot say is refused with the member, and the isolation of a network always is', async () => {
  const { id, one, name } = await networkOf(true)
  const except = [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }] }]
  await edit(one, name, { ingress: except })
  const path = await pathTo(id, one, name)
  const { body: plan } = await ask('GET', path)
  expect(plan).toMatchObject({
    refusal: { member: 'ingress[0].from[0].ipBlock.except' },
    group: { after: null },
    policies: [],
  })
  const refused = await ask('POST', path, { found: plan['found'], version: 1 })
  expect([refused.status, refused.body['detail']]).toMatchObject([
    409,
    expect.stringContaining('ipBlock.except'),
  ])
  const isolation = `bey-net-${count}`
  await edit(one, isolation, { ingress: [{}] })
  expect((await ask('GET', await pathTo(id, one, isolation))).body).toMatchObject({
    refusal: { member: null, reason: expect.stringContaining('isolation') },
    group: null,
  })
})
