import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { objectResourceId } from '@bey/contract'
import { startSandbox } from '@bey/sandbox'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runningApp } from '../kubernetes/testing/running-app.ts'
import { sandboxCalls } from '../kubernetes/testing/sandbox-calls.ts'
import { issued, newAuthority, tlsSecret } from './testing/issued.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const patience = { timeout: 60_000, interval: 100 }

const home = await mkdtemp(join(tmpdir(), 'bey-certificates-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const kube = sandboxCalls(sandbox)
const { given, cluster, call } = await runningApp()
const owner = await given.user({ role: 'OWNER' })
const { url, caPem, adminToken: token } = sandbox
const prod = await cluster(owner.organizationId, { url, caPem, token, impersonate: true })
const id = (kind: string, name: string) =>
  objectResourceId({ kind, clusterId: prod.id, namespace: 'shop', name })

beforeAll(async () => {
  await kube('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } })
  const authority = await newAuthority()
  for (const [name, days] of [
    ['soon', 6.5],
    ['later', 80],
  ] as const) {
    const certificate = await issued(authority, [`${name}.example`], days)
    await kube('POST', '/api/v1/namespaces/shop/secrets', tlsSecret(name, certificate))
    await kube('POST', '/apis/networking.k8s.io/v1/namespaces/shop/ingresses', {
      metadata: { name },
      spec: { tls: [{ hosts: [`${name}.example`], secretName: name }], rules: [{ host: `${name}.example` }] },
    })
  }
})

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a reply is its own claim
type Json = Record<string, any>
async function ask(method: string, path: string, body?: object, who = owner): Promise<Json> {
  const { token: own, organizationId } = who
  const reply = await call(method, path, {
    token: own,
    organizationId,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  expect(reply.status, reply.text).toBe(200)
  return reply.json()
}
const search = (query: string, who = owner) =>
  ask('GET', `/api/resources?query=${encodeURIComponent(query)}`, undefined, who)

test('certificates that end soon are found in the inventory, and an alert over them matches the same', async () => {
  await vi.waitFor(async () => {
    const all = await search('kind:certificate')
    expect(all['resources'].map(({ name }: { name: string }) => name)).toEqual(['soon', 'later'])
  }, patience)
  const query = 'kind:certificate expires:<14d'
  const found = await search(query)
  expect(found['gaps']).toEqual([])
  expect(found['resources']).toMatchObject([
    {
      id: id('certificate', 'soon'),
      namespace: 'shop',
      cluster: { id: prod.id },
      health: { state: 'degraded', reason: 'CertificateExpires' },
      href: expect.stringContaining('/networking/ingress/certificates?q=soon'),
    },
  ])
  const one = await ask('GET', `/api/resources/${id('certificate', 'soon')}`)
  expect(one).toMatchObject({ kind: 'certificate', name: 'soon' })
  const draft = { source: 'resources', expr: query, condition: { kind: 'match' }, forMs: 0, days: 7 }
  expect(await ask('POST', '/api/alerts/replay', draft)).toMatchObject({
    matches: { total: 1, first: [{ name: 'soon' }] },
  })
  const stranger = await given.user({ role: 'OWNER' })
  expect((await search('kind:certificate', stranger))['total']).toBe(0)
})

test('a certificate is presented by its ingress and goes with the Secret that keeps it', async () => {
  const of = await ask('GET', `/api/relations/of?id=${id('certificate', 'soon')}`)
  expect(of['needs']).toContainEqual(
    expect.objectContaining({ id: id('k8s-secret', 'soon'), text: 'is kept in' }),
  )
  expect(of['neededBy']).toContainEqual(
    expect.objectContaining({ id: id('ingress', 'soon'), verb: 'presents' }),
  )
  const impact = await ask('GET', `/api/relations/impact?id=${id('k8s-secret', 'soon')}&act=deleted`)
  expect(impact['goesWith'].total).toBe(1)
  expect(impact['rows']).toContainEqual(expect.objectContaining({ id: id('ingress', 'soon') }))
})
