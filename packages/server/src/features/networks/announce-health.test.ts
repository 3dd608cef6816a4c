import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@bey/sandbox'
import { sql } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import { runningApp } from '../kubernetes/testing/running-app.ts'
import { sandboxCalls } from '../kubernetes/testing/sandbox-calls.ts'

vi.setConfig({ testTimeout: 120_000 })
const patience = { timeout: 60_000, interval: 50 }

const home = await mkdtemp(join(tmpdir(), 'bey-network-notices-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const kube = sandboxCalls(sandbox)
const { app, given, cluster, call } = await runningApp()
const owner = await given.user({ role: 'OWNER' })
const viewer = await given.user({ role: 'VIEWER', organizationId: owner.organizationId })
const { url, caPem, adminToken } = sandbox
const prod = await cluster(owner.organizationId, { url, caPem, token: adminToken, impersonate: true })

// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a reply is its own claim
type Json = Record<string, any>
async function ask(method: string, path: string, body?: object, token = owner.token): Promise<Json> {
  const reply = await call(method, `/api/${path}`, {
    token,
    organizationId: owner.organizationId,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return reply.text ? reply.json() : {}
}
/** As if its state had lasted for an hour, and its next look were due. */
const anHourLater = (id: string) =>
  app.database.withTenant(owner.organizationId, (db) =>
    db.execute(sql`update networks set status_since = status_since - interval '1 hour', check_at = now()
      where organization_id = ${owner.organizationId} and id = ${id}`),
  )
const reaches = (id: string, state: object) =>
  vi.waitFor(async () => expect(await ask('GET', `networks/${id}`)).toMatchObject(state), patience)
const titles = async (token: string) => {
  const { notifications } = await ask('GET', 'notifications', undefined, token)
  return (notifications as Json[]).flatMap(({ kind, title }) => (kind === 'health' ? [title as string] : []))
}

test('members are told once that a network has drifted, and once that it is well again', async () => {
  await kube('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } })
  const { id } = await ask('POST', 'networks', {
    name: 'prod-eu',
    cidr: '10.42.0.0/16',
    isIsolated: true,
    attachments: [{ kind: 'namespace', clusterId: prod.id, namespace: 'shop' }],
  })
  await reaches(id, { status: 'active' })
  await anHourLater(id)
  // A healthy start is no news.
  const policy = '/apis/networking.k8s.io/v1/namespaces/shop/networkpolicies/bey-prod-eu'
  await kube('DELETE', policy)
  await reaches(id, { status: 'degraded' })
  expect(await titles(viewer.token)).toEqual([])

  await anHourLater(id)
  await vi.waitFor(
    async () => expect(await titles(viewer.token)).toEqual(['prod-eu is not as it is held in Bey']),
    patience,
  )
  const [notice] = (await ask('GET', 'notifications'))['notifications'] as Json[]
  expect(notice).toMatchObject({
    level: 'error',
    href: `/networking/${id}`,
    detail: expect.stringContaining('differs from its definition in Bey'),
  })

  await ask('POST', `networks/${id}/apply`, {})
  await reaches(id, { status: 'active' })
  await anHourLater(id)
  await vi.waitFor(
    async () =>
      expect(await titles(viewer.token)).toEqual([
        'prod-eu has recovered',
        'prod-eu is not as it is held in Bey',
      ]),
    patience,
  )
})
