import { eq } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'

import { clusters } from '../../tables/clusters.ts'
import { networks } from '../../tables/networks.ts'
import { startImportable } from '../../testing/importable-cluster.ts'
import { runningApp } from '../kubernetes/testing/running-app.ts'

// What happens to clusters past Bey, and what their networks say of it.

const outside = await startImportable({ speed: 50 })
afterAll(() => outside.remove())
const { app, given, cluster, call } = await runningApp()
const owner = await given.user({ role: 'OWNER' })
const { organizationId } = owner
const connected = () =>
  cluster(organizationId, {
    url: outside.url,
    caPem: outside.caPem,
    token: outside.admin().token,
    impersonate: true,
  })

const here = await connected()

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a reply is its own claim
type Json = Record<string, any>
async function ask(method: string, path: string, body?: object) {
  const reply = await call(method, `/api/networks${path}`, {
    token: owner.token,
    organizationId,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  return { status: reply.status, text: reply.text, body: (reply.text ? reply.json() : {}) as Json }
}
const policy = (namespace: string, name: string) =>
  `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies/${name}`
const makeNamespace = (name: string) => outside.call('POST', '/api/v1/namespaces', { metadata: { name } })
const read = async (id: string) => (await ask('GET', `/${id}`)).body
const reaches = (id: string, state: object) =>
  vi.waitFor(async () => expect(await read(id)).toMatchObject(state), { timeout: 60_000, interval: 50 })

/** Compares a network with its clusters now instead of within a minute. */
const compareNow = (id: string) =>
  app.database.withTenant(organizationId, (db) =>
    db
      .update(networks)
      .set({ checkAt: new Date(0) })
      .where(eq(networks.id, id)),
  )

async function isolated(name: string, cidr: string, attachments: object[]): Promise<string> {
  const made = await ask('POST', '', { name, cidr, isIsolated: true, attachments })
  expect(made.status, made.text).toBe(201)
  const id = made.body['id'] as string
  await reaches(id, { status: 'active' })
  return id
}

test('a cluster that is deleted takes its policies along, and its network does not miss them', async () => {
  const { id: clusterId } = await connected()
  await makeNamespace('short-lived')
  const id = await isolated('leaving', '10.80.0.0/16', [
    { kind: 'namespace', clusterId, namespace: 'short-lived' },
  ])
  await reaches(id, { policyCount: 1 })
  await app.database.withTenant(organizationId, (db) =>
    db.update(clusters).set({ deletedAt: new Date() }).where(eq(clusters.id, clusterId)),
  )
  await outside.call('DELETE', policy('short-lived', 'bey-leaving'))
  await compareNow(id)
  await reaches(id, { policyCount: 0 })
  await vi.waitFor(async () => {
    const { figures } = await read(id)
    expect(figures).toMatchObject({ silent: [] })
  }, 60_000)
  await reaches(id, { status: 'active', driftCount: 0, reason: null })
})

test('a namespace that is made later in an isolated cluster is named until a policy is there', async () => {
  const { id: clusterId, title } = here
  const id = await isolated('whole', '10.81.0.0/16', [{ kind: 'cluster', clusterId }])
  await makeNamespace('made-later')
  await compareNow(id)
  await reaches(id, {
    status: 'degraded',
    reason: `${title}: made-later: no policy is kept there yet. Apply the network again.`,
  })
  expect((await ask('POST', `/${id}/apply`)).status).toBe(202)
  await reaches(id, { status: 'active', reason: null })
  await outside.call('GET', policy('made-later', 'bey-whole'))
  await ask('PATCH', `/${id}`, { attachments: [] })
  await reaches(id, { status: 'active', policyCount: 0 })
})

test('a policy that somebody made their own under our name is neither written nor deleted', async () => {
  const { id: clusterId } = here
  await makeNamespace('adopted')
  const id = await isolated('former', '10.82.0.0/16', [
    { kind: 'namespace', clusterId, namespace: 'adopted' },
  ])
  await outside.call('DELETE', policy('adopted', 'bey-former'))
  const theirs = { podSelector: {}, policyTypes: ['Egress'] }
  await outside.call('POST', '/apis/networking.k8s.io/v1/namespaces/adopted/networkpolicies', {
    metadata: { name: 'bey-former' },
    spec: theirs,
  })
  await reaches(id, { status: 'degraded', driftCount: 1 })
  expect((await ask('POST', `/${id}/apply`)).status).toBe(202)
  await reaches(id, { status: 'error' })
  expect((await read(id))['reason']).toContain(
    "The policy adopted/bey-former is there already and not this network's.",
  )
  await ask('PATCH', `/${id}`, { attachments: [] })
  await reaches(id, { status: 'active', policyCount: 0 })
  expect((await outside.call('GET', policy('adopted', 'bey-former')))['spec']).toEqual(theirs)
})

test('a cluster that went away is named, and what it holds stays as it was last counted', async () => {
  const { id: clusterId, title } = here
  // The range of the services of the sandbox, of which the API server's own has one.
  const id = await isolated('silent', '10.96.0.0/12', [{ kind: 'cluster', clusterId }])
  await compareNow(id)
  await vi.waitFor(async () => expect((await read(id))['figures']?.held).toBeGreaterThan(0), 60_000)
  const { figures } = await read(id)
  const backend = { service: { name: 'none', port: { number: 80 } } }
  await outside.call('POST', '/apis/networking.k8s.io/v1/namespaces/default/ingresses', {
    metadata: { name: 'shop' },
    spec: {
      rules: [{ host: 'shop.example', http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
    },
  })
  const hostIs = (state: string) =>
    vi.waitFor(
      async () => {
        const reply = await call('GET', '/api/ingress/hosts', { token: owner.token, organizationId })
        expect(reply.json()).toMatchObject({ hosts: [{ host: 'shop.example', health: { state } }] })
      },
      { timeout: 60_000, interval: 100 },
    )
  await hostIs('failing')
  await outside.stop()
  // What was failing before is not known to be now.
  await hostIs('unknown')
  await compareNow(id)
  await reaches(id, {
    status: 'degraded',
    reason: `${title} cannot be read, so what it has of the network is not known as of now.`,
    figures: { ...figures, at: expect.any(String), silent: [title] },
  })
  const { policies } = (await ask('GET', `/${id}/policies`)).body as { policies: object[] }
  expect(policies.length).toBeGreaterThan(0)
  for (const policy of policies) expect(policy).toMatchObject({ state: 'unknown' })
  // Applied all the same, it says that it was not, and a retry finishes it.
  expect((await ask('POST', `/${id}/apply`)).status).toBe(202)
  await reaches(id, { status: 'error', reason: expect.stringContaining(title) })
  await outside.restart()
  await vi.waitFor(
    async () => {
      if ((await read(id))['status'] === 'error') await ask('POST', `/${id}/apply`)
      await compareNow(id)
      expect(await read(id)).toMatchObject({ status: 'active', reason: null, figures: { silent: [] } })
    },
    { timeout: 120_000, interval: 1_000 },
  )
})
