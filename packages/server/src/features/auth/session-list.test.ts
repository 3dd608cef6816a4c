import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { hashToken } from '../../platform/crypto/token.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { kubeconfigTokens } from '../../tables/kubeconfig-tokens.ts'
import { testApp } from '../../testing/app.ts'

const app = await testApp()
const { ask, given } = app
const password = 'difference-1!'

async function logIn(email: string, userAgent: string): Promise<string> {
  const headers = { 'user-agent': userAgent }
  return (await ask('POST', '/api/auth/login', { body: { email, password }, headers })).body.token
}

/** An authenticated socket, and when it was closed. */
async function socketOf(token: string, organizationId: number) {
  const socket = new WebSocket(`ws://127.0.0.1:${app.port}/ws`)
  const closed = new Promise<number>((resolve) => socket.on('close', () => resolve(performance.now())))
  await new Promise((resolve) => socket.on('open', resolve))
  socket.send(JSON.stringify({ type: 'AUTHENTICATE', payload: { token, organizationId } }))
  await new Promise((resolve) => socket.once('message', resolve))
  return { closed, end: () => socket.terminate() }
}

test('a user sees their sessions with browser and address, the present one marked, and nobody else’s', async () => {
  const user = await given.user({ password })
  await given.user({ password })
  const token = await logIn(user.email, 'Firefox')
  const { body } = await ask('GET', '/api/auth/sessions', { token })
  expect(body.total).toBe(2)
  const [current, other] = [true, false].map((isCurrent) =>
    body.sessions.find((each: { isCurrent: boolean }) => each.isCurrent === isCurrent),
  )
  expect(current).toMatchObject({ userAgent: 'Firefox', ip: '127.0.0.1', method: 'password' })
  expect(other.id).toBe(user.sessionId)
  expect(JSON.stringify(body)).not.toContain('token')
})

test('an ended session is refused at once, and its socket closed within a second', async () => {
  const user = await given.user({ password })
  const token = await logIn(user.email, 'Firefox')
  const socket = await socketOf(user.token, user.organizationId)
  const startedAt = performance.now()
  expect((await ask('DELETE', `/api/auth/sessions/${user.sessionId}`, { token })).status).toBe(204)
  expect((await ask('GET', '/api/auth/me', { token: user.token })).status).toBe(401)
  expect((await socket.closed) - startedAt).toBeLessThan(1_000)
  expect((await ask('GET', '/api/auth/me', { token })).status).toBe(200)
})

test('a session of somebody else is not found', async () => {
  const [user, other] = [await given.user(), await given.user()]
  const refused = await ask('DELETE', `/api/auth/sessions/${other.sessionId}`, { token: user.token })
  expect([refused.status, refused.body.code]).toEqual([404, 'not_found'])
  expect((await ask('GET', '/api/auth/me', { token: other.token })).status).toBe(200)
})

test('all others end together, and this one goes on', async () => {
  const user = await given.user({ password })
  const tokens = [await logIn(user.email, 'a'), await logIn(user.email, 'b')]
  const socket = await socketOf(tokens[0] ?? '', user.organizationId)
  const { body } = await ask('DELETE', '/api/auth/sessions', { token: user.token })
  expect(body).toEqual({ endedSessions: 2 })
  await socket.closed
  for (const token of tokens) expect((await ask('GET', '/api/auth/me', { token })).status).toBe(401)
  expect((await ask('GET', '/api/auth/me', { token: user.token })).status).toBe(200)
})

test('keys and kubeconfigs of all organizations are listed with the sessions, and end from there', async () => {
  const user = await given.user()
  const other = await given.user({ organizationId: user.organizationId, role: 'MEMBER' })
  const key = await given.apiKey(user, { name: 'backup' })
  await given.apiKey(other, { name: 'not mine' })
  await given.apiKey(user, { name: 'shared', isPersonal: false })
  const cluster = await given.cluster({ organizationId: user.organizationId, status: 'RUNNING' })
  const tokenId = uuidv7()
  await app.database.withTenant(user.organizationId, (db) =>
    db.insert(kubeconfigTokens).values({
      id: tokenId,
      organizationId: user.organizationId,
      userId: user.id,
      clusterId: cluster.id,
      tokenHash: hashToken('kubeconfig'),
      label: 'laptop',
      expiresAt: new Date(Date.now() + 3_600_000),
    }),
  )
  const list = async () => (await ask('GET', '/api/auth/tokens', { token: user.token })).body
  expect(await list()).toMatchObject({
    total: 2,
    tokens: [
      { id: tokenId, kind: 'kubeconfig', name: 'laptop', detail: cluster.title },
      { id: key.id, kind: 'api_key', name: 'backup', organization: { id: user.organizationId } },
    ],
  })
  const socket = await socketOf(key.token, user.organizationId)
  const startedAt = performance.now()
  expect((await ask('DELETE', `/api/auth/tokens/${key.id}`, { token: other.token })).status).toBe(404)
  for (const id of [key.id, tokenId])
    expect((await ask('DELETE', `/api/auth/tokens/${id}`, { token: user.token })).status).toBe(204)
  expect((await socket.closed) - startedAt).toBeLessThan(1_000)
  expect((await ask('GET', '/api/kubernetes/clusters', { token: key.token })).status).toBe(401)
  expect(await list()).toMatchObject({ total: 0, tokens: [] })
  expect((await ask('DELETE', `/api/auth/tokens/${key.id}`, { token: user.token })).status).toBe(404)
})
