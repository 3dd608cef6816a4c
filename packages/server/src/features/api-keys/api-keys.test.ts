import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@bey/sandbox'
import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import WebSocket from 'ws'
import { realClock } from '../../platform/clock.ts'
import { createKeyAccess } from '../../platform/keys/key-access.ts'
import { endAccess } from '../../platform/live/access-end.ts'
import { createLog } from '../../platform/log.ts'
import { apiKeys } from '../../tables/api-keys.ts'
import { auditEntries } from '../../tables/audit-entries.ts'
import { memberships } from '../../tables/memberships.ts'
import { runningApp } from '../kubernetes/testing/running-app.ts'
import { soonMs } from '../../testing/soon.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-keys-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const { app, given, cluster, call, begin } = await runningApp()
/** As another process of the same database has it, written out when a test asks. */
const keyAccess = createKeyAccess({
  database: app.database,
  clock: realClock,
  log: createLog({ level: 'fatal' }),
  requestsPerMinute: 600,
})
afterAll(() => keyAccess.close())
const originOf = (ip: string) => ({ ip, userAgent: 'test', requestId: 'r' })
const owner = await given.user({ role: 'OWNER' })
const { organizationId } = owner
const connection = { url: sandbox.url, caPem: sandbox.caPem, token: sandbox.adminToken, impersonate: true }
const prod = await cluster(organizationId, connection)
const other = await cluster(organizationId, connection)

type Credential = { token: string }
// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a reply is its own claim
type Reply = { status: number; body: any }

async function send(
  method: string,
  path: string,
  as: Credential,
  body?: object,
  from = '198.51.100.7',
): Promise<Reply> {
  const reply = await call(method, path, {
    token: as.token,
    headers: { 'x-forwarded-for': from, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, body: reply.text === '' ? undefined : reply.json() }
}

type Frame = { type: string; id: string; payload: { success: boolean } }

let names = 0
async function make(input: object, as: Credential = owner) {
  const reply = await send('POST', '/api/api-keys', as, {
    name: `made-${(names += 1)}`,
    isPersonal: true,
    permissions: ['clusters.read', 'kubernetes.read', 'organization.read'],
    ...input,
  })
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  return reply.body as { token: string; key: { id: string; start: string; name: string; expiresAt: string } }
}

const clusters = '/api/kubernetes/clusters'
const pods = (id: number) => `${clusters}/${id}/proxy/api/v1/namespaces/default/pods`
const setRole = (userId: number, role: 'ADMIN' | 'VIEWER') =>
  app.database.withTenant(organizationId, async (db) => {
    await db.update(memberships).set({ role }).where(eq(memberships.userId, userId))
    await endAccess(db, { kind: 'member', organizationId, userId })
  })

/** A socket that is authenticated by a key. */
async function socketOf({ token }: Credential) {
  const socket = new WebSocket(`ws://localhost:${app.port}/ws`)
  onTestFinished(() => socket.terminate())
  const frames: Frame[] = []
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as Frame))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'AUTHENTICATE', payload: { token, organizationId } }))
  const find = (type: string) =>
    vi.waitUntil(() => frames.find((each) => each.type === type), { timeout: 60_000, interval: 10 })
  const { payload } = await find('AUTHENTICATED')
  const closed = once(socket, 'close').then(([code]) => ({ code: Number(code), atMs: performance.now() }))
  return { socket, frames, find, payload, closed }
}

/** A watch of pods that is open through the proxy. */
async function watchOf({ token }: Credential) {
  const request = begin('GET', `${pods(prod.id)}?watch=1`, { token })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(200)
  answer.resume()
  const closed = new Promise<number>((resolve) => {
    answer.once('close', () => resolve(performance.now()))
    answer.once('error', () => resolve(performance.now()))
  })
  return { closed }
}

describe('a new key', () => {
  test('is shown once, kept as a hash, and expires after 90 days unless something else is said', async () => {
    const { token, key } = await make({})
    expect(token.startsWith(key.start)).toBe(true)
    expect(key.start.length).toBeLessThan(20)
    const days = (Date.parse(key.expiresAt) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(89.9)
    expect(days).toBeLessThan(90.1)
    const shown = await send('GET', `/api/api-keys/${key.id}`, owner)
    expect(JSON.stringify(shown.body)).not.toContain(token.slice(20))
    const { rows } = await app.database.ownerPool.query(
      `select (to_jsonb(k)::text || to_jsonb(s)::text) as text from api_keys k join api_key_secrets s on s.key_id = k.id where k.id = $1`,
      [key.id],
    )
    expect(rows[0].text).not.toContain(token.slice(20))
  })

  test('cannot be given more than its maker has, nor by an API key, nor with what another organization has', async () => {
    const member = await given.user({ organizationId, role: 'MEMBER' })
    const input = { name: 'x', isPersonal: true, permissions: ['clusters.delete'] }
    const more = await send('POST', '/api/api-keys', member, input)
    expect([more.status, more.body.code]).toEqual([403, 'forbidden'])
    const shared = await send('POST', '/api/api-keys', member, {
      ...input,
      isPersonal: false,
      permissions: ['clusters.read'],
    })
    expect([shared.status, shared.body.code]).toEqual([403, 'forbidden'])
    const all = await given.apiKey(owner)
    const byKey = await send('POST', '/api/api-keys', all, { ...input, permissions: ['clusters.read'] })
    expect([byKey.status, byKey.body.code]).toEqual([403, 'forbidden'])
    const foreign = await given.cluster()
    const limited = {
      ...input,
      permissions: ['clusters.read'],
      resources: [{ type: 'cluster', id: String(foreign.id) }],
    }
    expect((await send('POST', '/api/api-keys', owner, limited)).status).toBe(404)
    const nowhere = { ...input, permissions: ['clusters.read'], allowedAddresses: ['10.0.0.0/8', 'home'] }
    expect((await send('POST', '/api/api-keys', owner, nowhere)).body).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'allowedAddresses.1' }],
    })
  })

  test('of somebody else is seen by those who manage keys alone', async () => {
    const member = await given.user({ organizationId, role: 'MEMBER' })
    const { key } = await make({}, member)
    const colleague = await given.user({ organizationId, role: 'MEMBER' })
    expect((await send('GET', `/api/api-keys/${key.id}`, colleague)).status).toBe(404)
    expect((await send('DELETE', `/api/api-keys/${key.id}`, colleague)).status).toBe(404)
    expect((await send('GET', '/api/api-keys', colleague)).body.total).toBe(0)
    expect((await send('GET', `/api/api-keys/${key.id}`, owner)).body.owner.id).toBe(member.id)
    const rotated = await send('POST', `/api/api-keys/${key.id}/rotate`, owner, {})
    expect([rotated.status, rotated.body.code]).toEqual([403, 'forbidden'])
  })
})

describe('a request by key', () => {
  test('with a broken checksum is refused before the database is asked', async () => {
    const { token } = await make({})
    const asked = vi.spyOn(app.database.pool, 'query')
    onTestFinished(() => asked.mockRestore())
    const broken = token.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    const reply = await send('GET', clusters, { token: broken })
    expect([reply.status, reply.body.code]).toEqual([401, 'unauthenticated'])
    expect(asked.mock.calls.filter(([query]) => JSON.stringify(query).includes('authenticate_'))).toEqual([])
  })

  test('works from its networks only, over HTTP, the proxy and the socket, and the refusal is audited', async () => {
    const key = await make({ allowedAddresses: ['203.0.113.0/24'] })
    expect((await send('GET', clusters, key, undefined, '203.0.113.9')).status).toBe(200)
    const refused = await send('GET', clusters, key, undefined, '198.51.100.1')
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
    expect(refused.body.detail).toContain('198.51.100.1')
    expect((await send('GET', pods(prod.id), key, undefined, '203.0.113.9')).status).toBe(200)
    const proxied = await send('GET', pods(prod.id), key, undefined, '198.51.100.1')
    expect(proxied).toMatchObject({ status: 403, body: { kind: 'Status', reason: 'Forbidden' } })
    expect((await socketOf(key)).payload.success).toBe(false)
    for (let times = 0; times < 3; times += 1) {
      await expect(keyAccess.authenticate(key.token, originOf('198.51.100.1'))).rejects.toThrow(
        '198.51.100.1',
      )
    }
    await keyAccess.flush()
    const denied = await auditOf(key.key.id, 'api_key.refused')
    expect(denied).toMatchObject([
      { actorType: 'api_key', outcome: 'denied', ip: '198.51.100.1', diff: { reason: 'address', times: 3 } },
    ])
  })

  test('cannot exceed its permissions, and learns which one is missing', async () => {
    const key = await make({ permissions: ['clusters.read', 'kubernetes.read'] })
    const refused = await send('POST', clusters, key, { title: 'x', provider: 'sandbox' })
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(refused.body.detail).toContain('clusters.create')
    const write = await send('POST', pods(prod.id), key, { kind: 'Pod' })
    expect(write.status).toBe(403)
    expect(write.body.message).toContain('kubernetes.write')
    expect((await send('GET', `${clusters}/${prod.id}/proxy/api/v1/secrets`, key)).status).toBe(403)
    // What an endpoint gives beyond its own permission is bounded as well.
    const palette = await send(
      'GET',
      '/api/palette',
      await make({ permissions: ['organization.read', 'secrets.read'] }),
    )
    expect(palette.body.items?.some((each: { type: string }) => each.type === 'cluster') ?? false).toBe(false)
  })

  test('that is limited to one cluster reaches that one alone, by path, query and body', async () => {
    const key = await make({ resources: [{ type: 'cluster', id: String(prod.id) }] })
    expect((await send('GET', `${clusters}/${prod.id}`, key)).status).toBe(200)
    expect((await send('GET', pods(prod.id), key)).status).toBe(200)
    const elsewhere = await send('GET', `${clusters}/${other.id}`, key)
    expect([elsewhere.status, elsewhere.body.code]).toEqual([403, 'forbidden'])
    expect((await send('GET', pods(other.id), key)).status).toBe(404)
    expect((await send('GET', clusters, key)).body).toMatchObject({ total: 1, clusters: [{ id: prod.id }] })
    expect((await send('GET', '/api/credential', key)).body.key.resources).toEqual([
      { type: 'cluster', id: String(prod.id) },
    ])
  })

  test('for another organization finds nothing, and needs no header for its own', async () => {
    const key = await make({})
    const stranger = await given.user()
    const reply = await call('GET', clusters, { token: key.token, organizationId: stranger.organizationId })
    expect(reply.status).toBe(404)
    expect((await send('GET', clusters, key)).status).toBe(200)
    expect((await send('GET', '/api/auth/me', key)).status).toBe(403)
  })

  test('beyond its rate is refused with what is left in the headers, and others are not', async () => {
    const key = await make({ requestsPerMinute: 3 })
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => call('GET', clusters, { token: key.token })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(2)
    expect(replies[0]?.headers['x-ratelimit-limit']).toBe('3')
    expect((await send('GET', pods(prod.id), key)).status).toBe(429)
    expect((await send('GET', clusters, await make({ requestsPerMinute: 3 }))).status).toBe(200)
  })

  test('leaves the time and the address of its last use', async () => {
    const key = await make({})
    await keyAccess.authenticate(key.token, originOf('203.0.113.44'))
    await keyAccess.flush()
    const { body } = await send('GET', `/api/api-keys/${key.key.id}`, owner)
    expect(body.lastUsedIp).toBe('203.0.113.44')
    expect(Date.now() - Date.parse(body.lastUsedAt)).toBeLessThan(soonMs)
  })

  test('is audited under the key’s own name', async () => {
    const key = await make({
      permissions: ['kubernetes.write', 'kubernetes.read', 'secrets.create'],
      isPersonal: false,
    })
    await send('POST', '/api/secrets', key, { name: `of-key-${key.key.id}`, value: 'v' })
    const [made] = await auditOf(key.key.id, 'secret.create')
    expect(made).toMatchObject({ actorType: 'api_key', actorDisplay: key.key.name, via: 'api' })
    await send('POST', `${clusters}/${prod.id}/proxy/api/v1/namespaces/default/configmaps`, key, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'of-key' },
    })
    const [written] = await auditOf(key.key.id, 'kubernetes.create')
    expect(written).toMatchObject({ actorType: 'api_key', via: 'api' })
  })
})

describe('the role behind a key', () => {
  test('of its owner, once demoted, bounds a personal key at once and an organization’s key not at all', async () => {
    const admin = await given.user({ organizationId, role: 'ADMIN' })
    const permissions = ['clusters.read', 'clusters.create', 'kubernetes.read']
    const personal = await make({ permissions }, admin)
    const shared = await make({ permissions, isPersonal: false }, admin)
    const create = () => ({ title: `by-key-${(names += 1)}`, provider: 'nowhere' })
    const before = await send('POST', clusters, personal, create())
    expect(before.body.code).toBe('invalid_request')
    await setRole(admin.id, 'VIEWER')
    const after = await send('POST', clusters, personal, create())
    expect([after.status, after.body.code]).toEqual([403, 'forbidden'])
    expect((await send('GET', clusters, personal)).status).toBe(200)
    expect((await send('POST', clusters, shared, create())).body.code).toBe('invalid_request')
    const { body } = await send('GET', `/api/api-keys/${personal.key.id}`, owner)
    expect(body).toMatchObject({ role: 'VIEWER', lostPermissions: ['clusters.create'] })
  })

  test('gone takes what their session and personal keys have open along at once, and no shared key', async () => {
    const leaver = await given.user({ organizationId, role: 'ADMIN' })
    const [personal, shared] = [await make({}, leaver), await make({ isPersonal: false }, leaver)]
    const open = await Promise.all([leaver, personal].flatMap((by) => [socketOf(by), watchOf(by)]))
    expect((await send('POST', `/api/members/${leaver.id}/remove`, owner, {})).status).toBe(200)
    const removedAtMs = performance.now()
    await Promise.all<unknown>(open.map(({ closed }) => closed))
    expect(performance.now() - removedAtMs).toBeLessThan(soonMs)
    expect((await send('GET', clusters, personal)).status).toBe(401)
    expect((await send('GET', clusters, shared)).status).toBe(200)
  })
})

describe('the end of a key', () => {
  test('closes its sockets and streams at once, and no others', async () => {
    const key = await make({})
    const bystander = await make({})
    const [mine, theirs, watch] = await Promise.all([socketOf(key), socketOf(bystander), watchOf(key)])
    expect([mine.payload.success, theirs.payload.success]).toEqual([true, true])
    const endedAtMs = performance.now()
    expect((await send('DELETE', `/api/api-keys/${key.key.id}`, owner)).status).toBe(204)
    const closed = await mine.closed
    expect(closed.code).toBe(1008)
    expect(closed.atMs - endedAtMs).toBeLessThan(soonMs)
    expect((await watch.closed) - endedAtMs).toBeLessThan(soonMs)
    expect(theirs.socket.readyState).toBe(WebSocket.OPEN)
    expect((await send('GET', clusters, key)).status).toBe(401)
    expect((await send('DELETE', `/api/api-keys/${key.key.id}`, owner)).status).toBe(409)
    expect((await auditOf(key.key.id, 'api_key.revoke', 'target')).length).toBe(1)
  })

  test('by expiry refuses it, and a test of its secret says so', async () => {
    const key = await make({})
    await app.database.asSystem('test', (db) =>
      db
        .update(apiKeys)
        .set({ expiresAt: sql`now() - interval '1 second'` })
        .where(eq(apiKeys.id, key.key.id)),
    )
    expect((await send('GET', clusters, key)).status).toBe(401)
    const verdict = await send('POST', '/api/api-keys/test', owner, { token: key.token })
    expect(verdict.body).toMatchObject({ verdict: 'expired', key: { status: 'expired' } })
  })

  test('a rotated key works by both secrets until the old one is over, and then by the new one alone', async () => {
    const key = await make({})
    const rotated = (await send('POST', `/api/api-keys/${key.key.id}/rotate`, owner, { overlapHours: 1 }))
      .body
    expect(rotated.key.status).toBe('rotating')
    for (const each of [key, rotated]) expect((await send('GET', clusters, each)).status).toBe(200)
    const [old, present] = await Promise.all([socketOf(key), socketOf(rotated)])
    const again = (await send('POST', `/api/api-keys/${key.key.id}/rotate`, owner, { overlapHours: 0 })).body
    expect(again.key.status).toBe('active')
    await Promise.all([old.closed, present.closed])
    expect((await send('GET', clusters, key)).status).toBe(401)
    expect((await send('GET', clusters, rotated)).status).toBe(401)
    expect((await send('GET', clusters, again)).status).toBe(200)
    const verdict = await send('POST', '/api/api-keys/test', owner, { token: rotated.token })
    expect(verdict.body.verdict).toBe('replaced')
    const tooLong = await send('POST', `/api/api-keys/${key.key.id}/rotate`, owner, { overlapHours: 25 })
    expect(tooLong.body.code).toBe('invalid_request')
  })
})

test('a socket of a key hears what the key may read and is limited to, and nothing else', async () => {
  const limited = await make({ resources: [{ type: 'cluster', id: String(prod.id) }] })
  const mine = await socketOf(limited)
  const follow = (clusterId: number) =>
    mine.socket.send(
      JSON.stringify({
        type: 'COMMAND',
        id: String(clusterId),
        payload: { type: 'SUBSCRIBE', payload: { kind: 'cluster', clusterId } },
      }),
    )
  follow(other.id)
  follow(prod.id)
  await vi.waitUntil(() => mine.frames.filter(({ type }) => type === 'COMMAND_RESULT').length === 2, 60_000)
  const results = mine.frames.filter(({ type }) => type === 'COMMAND_RESULT')
  expect(results.map(({ id, payload }) => [id, payload.success])).toEqual([
    [String(other.id), false],
    [String(prod.id), true],
  ])
  const secret = await send('POST', '/api/secrets', owner, { name: `heard-${(names += 1)}`, value: 'v' })
  expect(secret.status).toBe(201)
  const all = await socketOf(await make({ permissions: ['secrets.read'] }))
  await send('POST', '/api/secrets', owner, { name: `heard-${(names += 1)}`, value: 'v' })
  await all.find('SECRETS_UPDATE')
  expect(mine.frames.some(({ type }) => type === 'SECRETS_UPDATE')).toBe(false)
})

function auditOf(keyId: string, action: string, by: 'actor' | 'target' = 'actor') {
  const column = by === 'actor' ? auditEntries.actorId : auditEntries.targetId
  return app.database.withTenant(organizationId, (db) =>
    db
      .select()
      .from(auditEntries)
      .where(sql`${column} = ${keyId} and ${auditEntries.action} = ${action}`),
  )
}
