import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { listen } from '../../platform/live/listener.ts'
import { endAccess } from '../../platform/live/access-end.ts'
import { auditEntries } from '../../tables/audit-entries.ts'
import { kubeconfigTokens } from '../../tables/kubeconfig-tokens.ts'
import { memberships } from '../../tables/memberships.ts'
import type { GivenUser } from '../../testing/given.ts'
import { fakeCluster } from './testing/fake-cluster.ts'
import { runningApp } from './testing/running-app.ts'

const fake = await fakeCluster()
afterAll(() => fake.stop())
const { app, given, cluster, call, begin } = await runningApp()
const { database } = app

const owner = await given.user({ role: 'OWNER' })
const { organizationId } = owner
const member = await given.user({ role: 'MEMBER', organizationId })
const viewer = await given.user({ role: 'VIEWER', organizationId })
const stranger = await given.user({ role: 'OWNER' })
const prod = await cluster(organizationId, fake.connection)
const other = await cluster(organizationId, fake.connection)
const theirs = await cluster(stranger.organizationId, fake.connection)

beforeEach(() => {
  fake.seen.length = 0
})

const at = (id: number, rest: string) => `/api/kubernetes/clusters/${id}${rest}`
const as = (user: GivenUser) => ({ token: user.token, organizationId: user.organizationId })

async function kubeconfig(user: GivenUser, query = '') {
  const reply = await call('GET', at(prod.id, `/kubeconfig${query}`), as(user))
  expect(reply.status).toBe(200)
  const config = parse(reply.text) as {
    clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }]
    users: [{ user: { token: string } }]
    contexts: [{ name: string }]
    'current-context': string
  }
  const { server, 'certificate-authority-data': ca } = config.clusters[0].cluster
  return {
    reply,
    config,
    server,
    ca: Buffer.from(ca, 'base64').toString(),
    token: config.users[0].user.token,
  }
}

async function audited(action: string) {
  return database.readTenant(organizationId, (db) =>
    db
      .select()
      .from(auditEntries)
      .where(and(eq(auditEntries.organizationId, organizationId), eq(auditEntries.action, action))),
  )
}

test('a kubeconfig leads, with its certificate authority and token alone, to the cluster’s API', async () => {
  const { reply, config, server, ca, token } = await kubeconfig(member)
  expect(reply.headers['content-type']).toContain('application/yaml')
  expect(reply.headers['content-disposition']).toBe(`attachment; filename="${prod.title}.kubeconfig"`)
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(server).toBe(`https://localhost:${app.tlsPort}/api/kubernetes/clusters/${prod.id}/proxy`)
  expect(config['current-context']).toBe(config.contexts[0].name)
  const answer = await call('GET', `${server}/api/v1/namespaces/a/configmaps/x`, { token, ca })
  expect(answer.status).toBe(200)
  expect(fake.seen[0]?.headers).toMatchObject({
    'impersonate-user': member.email,
    'impersonate-group': 'bey:editors',
  })

  const rows = await database.readTenant(organizationId, (db) =>
    db.select().from(kubeconfigTokens).where(eq(kubeconfigTokens.userId, member.id)),
  )
  expect(JSON.stringify(rows)).not.toContain(token)
  const [entry] = await audited('kubeconfig.create')
  expect(entry).toMatchObject({ class: 'access', targetId: String(prod.id), actorEmail: member.email })
})

test('a token is for its cluster and its organization only', async () => {
  const { token } = await kubeconfig(owner)
  for (const id of [other.id, theirs.id, 999_999]) {
    expect((await call('GET', at(id, '/proxy/version'), { token })).status).toBe(404)
  }
  // It opens nothing else of Bey.
  expect((await call('GET', '/api/kubernetes/clusters', { token })).status).toBe(401)
  expect(fake.seen).toEqual([])
})

test('a path of the Kubernetes API itself leads a token to its cluster, on either listener', async () => {
  const { token, server, ca } = await kubeconfig(member)
  const { origin } = new URL(server)
  for (const path of [
    '/readyz?verbose',
    '/api',
    '/apis/apps/v1',
    '/version',
    '/openapi/v3',
    '/api/v1/pods?limit=5',
  ]) {
    expect((await call('GET', origin + path, { token, ca })).status, path).toBe(200)
    expect((await call('GET', path, { token })).status, path).toBe(200)
    expect(fake.seen.map(({ url }) => url)).toEqual([path, path])
    fake.seen.length = 0
  }
  const [answer] = (await once(
    begin('GET', '/api/v1/namespaces/a/pods/x/exec?command=ls', {
      token,
      headers: { connection: 'Upgrade', upgrade: 'websocket' },
    }),
    'upgrade',
  )) as [IncomingMessage]
  expect(answer.statusCode).toBe(101)
  answer.socket.destroy()
  fake.seen.length = 0

  // What is Bey's own stays closed to it, and a session finds the console and its API there.
  expect((await call('GET', '/api/kubernetes/clusters', { token })).status).toBe(401)
  expect((await call('GET', '/api/v1/workflows', as(member))).json()).toHaveProperty('workflows')
  expect((await call('GET', '/readyz', as(member))).text).not.toContain('"Echo"')
  // An unknown token of the kind is answered as Kubernetes does.
  expect((await call('GET', '/version', { token: 'bey_kube_unknown' })).json()).toMatchObject({
    kind: 'Status',
    code: 401,
  })
  expect(fake.seen).toEqual([])
})

test('a session reaches the clusters of its organization, and no foreign one', async () => {
  expect((await call('GET', at(prod.id, '/proxy/version'), as(owner))).status).toBe(200)
  for (const caller of [as(stranger), { token: stranger.token, organizationId }]) {
    const answer = await call('GET', at(prod.id, '/proxy/version'), caller)
    expect(answer.status).toBe(404)
    expect(answer.json()).toMatchObject({ kind: 'Status', reason: 'NotFound' })
  }
  expect((await call('GET', at(prod.id, '/proxy/version'))).json()).toMatchObject({
    kind: 'Status',
    code: 401,
  })
  expect(
    (await call('GET', at(prod.id, '/kubeconfig'), { token: stranger.token, organizationId })).status,
  ).toBe(404)
  expect((await call('GET', at(theirs.id, '/kubeconfig'), as(owner))).status).toBe(404)
})

test('writes, execs and reads of Secrets are audited before and after, without their bodies', async () => {
  const path = at(prod.id, '/proxy/api/v1/namespaces/a/secrets')
  await call('POST', path, {
    ...as(member),
    body: '{"data":{"password":"aHVudGVyMg=="}}',
    headers: { 'user-agent': 'kubectl/v1.33' },
  })
  await call('GET', `${path}/db`, as(member))
  await call('GET', at(prod.id, '/proxy/api/v1/pods'), as(member))

  const [intent, created] = await audited('kubernetes.create')
  expect(intent).toMatchObject({ outcome: 'unknown', actorEmail: member.email })
  expect(created?.intentId).toBe(intent?.id)
  expect(created).toMatchObject({
    class: 'create',
    via: 'kubectl',
    outcome: 'success',
    actorEmail: member.email,
    targetName: prod.title,
    diff: { verb: 'create', resource: 'secrets', namespace: 'a', code: 200 },
  })
  expect(JSON.stringify([intent, created])).not.toContain('aHVudGVyMg')
  expect(await audited('kubernetes.get')).toMatchObject([
    { class: 'read', outcome: 'unknown', diff: { resource: 'secrets', name: 'db' } },
    { class: 'read', outcome: 'success', diff: { resource: 'secrets', name: 'db' } },
  ])
  expect(await audited('kubernetes.list')).toEqual([])
})

test('a patch is recorded as what it is for, and reaches the cluster as it was sent', async () => {
  const body = '{"spec":{"unschedulable":true}}'
  const headers = { 'content-type': 'application/merge-patch+json' }
  await call('PATCH', at(prod.id, '/proxy/api/v1/nodes/w-1'), { ...as(owner), body, headers })
  expect(fake.seen).toMatchObject([{ method: 'PATCH', body }])
  const entries = await audited('kubernetes.cordon')
  expect(entries.map(({ objectKey, outcome }) => ({ objectKey, outcome }))).toEqual([
    { objectKey: 'nodes//w-1', outcome: 'unknown' },
    { objectKey: 'nodes//w-1', outcome: 'success' },
  ])
})

test('with the audit trail not writable nothing is changed in the cluster, and the answer says why', async () => {
  await database.ownerPool.query('revoke insert on audit_entries from bey_app')
  try {
    const pod = at(prod.id, '/proxy/api/v1/namespaces/a/pods/x')
    for (const [method, path] of [
      ['DELETE', pod],
      ['POST', `${pod}/exec?command=ls`],
      ['GET', at(prod.id, '/proxy/api/v1/namespaces/a/secrets/db')],
    ] as const) {
      const answer = await call(method, path, as(owner))
      expect(answer.json()).toMatchObject({ kind: 'Status', code: 503, reason: 'ServiceUnavailable' })
      expect(answer.text).toContain('The audit trail cannot be written')
    }
    expect(fake.seen).toEqual([])
    // What is only counted goes on.
    expect((await call('GET', at(prod.id, '/proxy/api/v1/pods'), as(owner))).status).toBe(200)
  } finally {
    await database.ownerPool.query('grant insert on audit_entries to bey_app')
  }
})

test('a session over a socket is recorded with the address of the client behind a trusted proxy', async () => {
  const [answer] = (await once(
    begin('GET', at(prod.id, '/proxy/api/v1/namespaces/a/pods/x/exec?command=ls'), {
      ...as(member),
      headers: { connection: 'Upgrade', upgrade: 'websocket', 'x-forwarded-for': '203.0.113.9' },
    }),
    'upgrade',
  )) as [IncomingMessage]
  expect(answer.statusCode).toBe(101)
  answer.socket.destroy()
  expect((await audited('kubernetes.exec')).slice(-2)).toMatchObject([
    { ip: '203.0.113.9', outcome: 'unknown' },
    { ip: '203.0.113.9', outcome: 'success' },
  ])
})

test('requests that a VIEWER is refused write no entry each', async () => {
  const path = at(prod.id, '/proxy/api/v1/namespaces/a/pods/x')
  const entries = async () => {
    const { rows } = await database.ownerPool.query<{ count: number }>(
      'select count(*)::int as count from audit_entries where organization_id = $1',
      [organizationId],
    )
    return rows[0]?.count ?? 0
  }
  const before = await entries()
  const statuses = await Promise.all(
    Array.from({ length: 200 }, async () => (await call('DELETE', path, as(viewer))).status),
  )
  expect(new Set(statuses)).toEqual(new Set([403]))
  // One entry counts many of them, and may be written meanwhile on a busy machine.
  expect((await entries()) - before).toBeLessThan(5)
})

/** Resolves once the watch is open; `closed` is when it ended. */
async function watchPods(token: string): Promise<{ closed: Promise<number> }> {
  fake.put('/api/v1/pods', { metadata: { name: 'p', namespace: 'a', uid: 'p' } })
  const [answer] = (await once(
    begin('GET', at(prod.id, '/proxy/api/v1/pods?watch=1'), { token, organizationId }),
    'response',
  )) as [IncomingMessage]
  expect(answer.statusCode).toBe(200)
  answer.on('error', () => undefined)
  answer.resume()
  return { closed: new Promise((resolve) => answer.once('close', () => resolve(performance.now()))) }
}

test('revoking a token ends its watches within a second and refuses what comes after; who else watches goes on', async () => {
  const { token } = await kubeconfig(viewer)
  const { token: kept } = await kubeconfig(viewer)
  const { closed } = await watchPods(token)
  const { closed: othersClosed } = await watchPods(kept)
  const list = (await call('GET', at(prod.id, '/tokens'), as(viewer))).json() as {
    tokens: { id: string }[]
    total: number
  }
  expect(list.total).toBe(2)
  const before = await fakeWatches(2)
  const began = performance.now()
  const revoked = await call('DELETE', at(prod.id, `/tokens/${list.tokens[1]?.id}`), as(viewer))
  expect(revoked.status).toBe(204)
  expect((await closed) - began).toBeLessThan(1000)
  expect((await call('GET', at(prod.id, '/proxy/version'), { token })).status).toBe(401)
  expect((await call('GET', at(prod.id, '/proxy/version'), { token: kept })).status).toBe(200)
  await expect.poll(() => fake.watches()).toBe(before - 1)
  expect(await Promise.race([othersClosed, Promise.resolve('open')])).toBe('open')
  expect((await call('DELETE', at(prod.id, `/tokens/${list.tokens[1]?.id}`), as(viewer))).status).toBe(404)
})

async function fakeWatches(least: number): Promise<number> {
  await expect.poll(() => fake.watches()).toBeGreaterThanOrEqual(least)
  return fake.watches()
}

test('logging out ends the session’s watches within a second', async () => {
  const user = await given.user({ role: 'MEMBER', organizationId })
  const { closed } = await watchPods(user.token)
  const began = performance.now()
  expect((await call('POST', '/api/auth/logout', as(user))).status).toBeLessThan(300)
  expect((await closed) - began).toBeLessThan(1000)
})

test('the end of a membership, announced by any process, ends its watches; a demotion counts at once', async () => {
  const user = await given.user({ role: 'MEMBER', organizationId })
  const { token } = await kubeconfig(user)
  const { closed } = await watchPods(token)
  const deletePod = () => call('DELETE', at(prod.id, '/proxy/api/v1/namespaces/a/pods/x'), { token })
  expect((await deletePod()).status).toBe(200)
  await database.withTenant(organizationId, async (db) => {
    await db.update(memberships).set({ role: 'VIEWER' }).where(eq(memberships.userId, user.id))
    await endAccess(db, { kind: 'member', organizationId, userId: user.id })
  })
  await closed
  expect((await deletePod()).status).toBe(403)
  await database.withTenant(organizationId, (db) =>
    db.delete(memberships).where(eq(memberships.userId, user.id)),
  )
  expect((await call('GET', at(prod.id, '/proxy/version'), { token })).status).toBe(401)
})

test('everybody sees their own tokens, an admin everybody’s, and a stranger none; only those can be revoked', async () => {
  const mine = await given.user({ role: 'MEMBER', organizationId })
  await kubeconfig(mine)
  type Tokens = { tokens: { id: string; user: { id: string } }[]; total: number }
  const listed = async (user: GivenUser) =>
    (await call('GET', at(prod.id, '/tokens?limit=200'), as(user))).json() as Tokens
  const own = await listed(mine)
  expect(own).toMatchObject({ total: 1, tokens: [{ user: { id: String(mine.id) } }] })
  expect((await listed(owner)).tokens.some(({ user }) => user.id === String(mine.id))).toBe(true)
  const revoke = (user: GivenUser) => call('DELETE', at(prod.id, `/tokens/${own.tokens[0]?.id}`), as(user))
  expect((await revoke(viewer)).status).toBe(404)
  expect((await revoke(stranger)).status).toBe(404)
  expect((await revoke(owner)).status).toBe(204)
  expect((await listed(mine)).total).toBe(0)
})

test('a token lives as long as was asked for, seven days at most, and a user has at most twenty, downloads at once included', async () => {
  const user = await given.user({ role: 'VIEWER', organizationId })
  const get = (query: string) => call('GET', at(prod.id, `/kubeconfig${query}`), as(user))
  expect((await get('?expires_in_hours=169')).status).toBe(400)
  expect((await get('?expires_in_hours=0')).status).toBe(400)
  await kubeconfig(user, '?expires_in_hours=168')
  const [row] = await database.readTenant(organizationId, (db) =>
    db.select().from(kubeconfigTokens).where(eq(kubeconfigTokens.userId, user.id)),
  )
  expect(Number(row?.expiresAt) - Number(row?.createdAt)).toBe(7 * 24 * 3_600_000)
  const statuses = await Promise.all(Array.from({ length: 21 }, async () => (await get('')).status))
  expect(statuses.filter((status) => status === 200)).toHaveLength(19)
  expect(statuses.filter((status) => status === 422)).toHaveLength(2)
})

test('HEAD makes no kubeconfig token and is refused', async () => {
  const user = await given.user({ organizationId, role: 'MEMBER' })
  const reply = await call('HEAD', at(prod.id, '/kubeconfig'), as(user))
  expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET, OPTIONS'])
  const tokens = await database.readTenant(organizationId, (db) =>
    db.select().from(kubeconfigTokens).where(eq(kubeconfigTokens.userId, user.id)),
  )
  expect(tokens).toEqual([])
})

test('a user downloads at most sixty kubeconfigs an hour, revoked ones included, and a refused one is not recorded', async () => {
  const user = await given.user({ role: 'VIEWER', organizationId })
  await database.asSystem('test', (db) =>
    db.execute(sql`insert into kubeconfig_tokens (id, organization_id, user_id, cluster_id, token_hash, label, expires_at, revoked_at)
      select gen_random_uuid(), ${organizationId}, ${user.id}, ${prod.id}, sha256(n::text::bytea), 'x', now(), now()
      from generate_series(1, 59) n`),
  )
  await kubeconfig(user)
  const before = await audited('kubeconfig.create')
  const refused = await call('GET', at(prod.id, '/kubeconfig'), as(user))
  expect(refused.json()).toMatchObject({ status: 429, code: 'rate_limited' })
  expect(await audited('kubeconfig.create')).toHaveLength(before.length)
})

test('a cluster that is not running gives no kubeconfig and is 503 through the proxy', async () => {
  const young = await given.cluster({ organizationId, status: 'CREATING' })
  expect((await call('GET', at(young.id, '/kubeconfig'), as(owner))).json()).toMatchObject({
    code: 'conflict',
  })
  expect((await call('GET', at(young.id, '/pods'), as(owner))).json()).toMatchObject({ code: 'conflict' })
  expect((await call('GET', at(young.id, '/proxy/version'), as(owner))).json()).toMatchObject({
    kind: 'Status',
    code: 503,
  })
})

test('what ends is announced on the channel that every process hears', async () => {
  const heard: string[] = []
  const { createLog } = await import('../../platform/log.ts')
  const { realClock } = await import('../../platform/clock.ts')
  const listener = await listen({
    url: database.url,
    channels: { bey_access: (payload) => heard.push(payload) },
    onGap: () => undefined,
    clock: realClock,
    log: createLog({ level: 'fatal' }),
  })
  await kubeconfig(owner)
  const list = (await call('GET', at(prod.id, '/tokens'), as(owner))).json() as { tokens: { id: string }[] }
  await call('DELETE', at(prod.id, `/tokens/${list.tokens[0]?.id}`), as(owner))
  await expect.poll(() => heard).toEqual([JSON.stringify({ kind: 'token', id: list.tokens[0]?.id })])
  await listener.close()
})
