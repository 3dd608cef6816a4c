import { describe, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { testApp } from '../../testing/app.ts'
import { godmodeStatus } from './godmode.ts'
import { createImpersonationService } from './impersonation.ts'

const app = await testApp({ godmode: true })
const { ask, given, database } = app

const trail = async (organizationId: number) =>
  (
    await database.ownerPool.query(
      'select action, actor_type, actor_email, target_id, diff from audit_entries where organization_id = $1 order by seq',
      [organizationId],
    )
  ).rows

const impersonate = (userId: unknown, token?: string) =>
  ask('POST', '/api/godmode/impersonate', { body: { userId }, ...(token && { token }) })

describe('on a development server with BEY_GODMODE=1', () => {
  test('its status says that it is on, and its users come with organization and role', async () => {
    expect((await ask('GET', '/api/godmode/status')).body).toMatchObject({ enabled: true })
    const user = await given.user({ role: 'VIEWER', name: 'Grace' })
    const { body } = await ask('GET', `/api/godmode/users?search=${user.email}`)
    const { rows } = await database.ownerPool.query('select name from organizations where id = $1', [
      user.organizationId,
    ])
    const { id, email } = user
    expect(body).toEqual({
      users: [{ id, name: 'Grace', email, organizationName: rows[0].name, role: 'VIEWER' }],
      total: 1,
      page: 1,
      limit: 50,
    })
  })

  test('a tester logs in as a user, with the rights of that user and no others', async () => {
    const user = await given.user({ role: 'VIEWER' })
    const reply = await impersonate(user.id)
    expect(reply.status).toBe(200)
    const { token } = reply.body
    expect(reply.body.user).toMatchObject({
      id: user.id,
      email: user.email,
      activeOrganizationId: user.organizationId,
      organizations: [{ id: user.organizationId, role: 'VIEWER' }],
      impersonator: { id: null, name: 'A tester without an account', email: null },
    })
    expect((await ask('GET', '/api/auth/me', { token })).body).toEqual(reply.body.user)
    const body = { title: 'no', provider: 'sandbox' }
    expect((await ask('POST', '/api/kubernetes/clusters', { token, body })).status).toBe(403)
    expect((await ask('POST', '/api/auth/logout', { token })).status).toBe(204)
    expect((await ask('GET', '/api/auth/me', { token })).status).toBe(401)
    expect((await ask('GET', '/api/auth/me', { token: user.token })).body.impersonator).toBeUndefined()
  })

  test('it is audited under both identities, and so is everything done in that session', async () => {
    const [tester, user] = [await given.user(), await given.user()]
    const { token } = (await impersonate(user.id, tester.token)).body
    const impersonatedBy = { id: tester.id, name: tester.name, email: tester.email }
    expect(await trail(tester.organizationId)).toEqual([
      {
        action: 'user.impersonate',
        actor_type: 'user',
        actor_email: tester.email,
        target_id: String(user.id),
        diff: { impersonatedBy },
      },
    ])
    const body = { title: 'staging', provider: 'sandbox' }
    await ask('POST', '/api/kubernetes/clusters', { token, organizationId: user.organizationId, body })
    await ask('PATCH', '/api/auth/me', { token, body: { name: 'Renamed' } })
    await ask('POST', '/api/auth/logout', { token })
    const rows = await trail(user.organizationId)
    expect(rows.map((row) => row.action)).toEqual(
      expect.arrayContaining(['session.begin', 'cluster.create', 'user.rename', 'session.end']),
    )
    const own = rows.filter((row) => row.actor_email === user.email)
    expect(own.map((row) => row.diff?.impersonatedBy)).toEqual(own.map(() => impersonatedBy))
  })

  test('who impersonates from an impersonated session is still the tester', async () => {
    const [tester, first, second] = [await given.user(), await given.user(), await given.user()]
    const { token } = (await impersonate(first.id, tester.token)).body
    const { user } = (await impersonate(second.id, token)).body
    expect(user.impersonator).toEqual({ id: tester.id, name: tester.name, email: tester.email })
  })

  test('another organization of the same user keeps saying who is really there', async () => {
    const user = await given.user()
    const { token } = (await impersonate(user.id)).body
    const reply = await ask('POST', `/api/organizations/${user.organizationId}/activate`, { token })
    expect(reply.body.impersonator).toEqual({ id: null, name: 'A tester without an account', email: null })
  })

  test('an impersonated session ends after 8 h, however much it is used', async () => {
    const user = await given.user()
    const { token } = (await impersonate(user.id)).body
    await database.ownerPool.query(
      "update sessions set last_used_at = now() - interval '2 hours' where impersonator_name is not null",
    )
    await ask('GET', '/api/auth/me', { token })
    const { rows } = await database.ownerPool.query(
      "select max(expires_at) < now() + interval '8 hours 1 minute' as ends from sessions where impersonator_name is not null",
    )
    expect(rows[0].ends).toBe(true)
  })

  test('no kubeconfig is given out in it, for its token would go on without naming the tester', async () => {
    const [tester, user] = [await given.user(), await given.user()]
    const { token } = (await impersonate(user.id, tester.token)).body
    const cluster = await given.cluster({ organizationId: user.organizationId, status: 'RUNNING' })
    const path = `/api/kubernetes/clusters/${cluster.id}/kubeconfig`
    const reply = await ask('GET', path, { token, organizationId: user.organizationId })
    expect([reply.status, reply.body.code]).toEqual([403, 'forbidden'])
    const { rows } = await database.ownerPool.query('select 1 from kubeconfig_tokens where user_id = $1', [
      user.id,
    ])
    expect(rows).toEqual([])
    expect((await ask('GET', path, { token: user.token })).status).toBe(200)
  })

  const lives = async (token: string) => (await ask('GET', '/api/auth/me', { token })).status === 200

  test('it ends with the session that it was begun from, over any number of users, and with no other', async () => {
    const [tester, first, second] = [await given.user(), await given.user(), await given.user()]
    const { token } = (await impersonate(first.id, tester.token)).body
    const next = (await impersonate(second.id, token)).body.token
    const others = (await impersonate(first.id)).body.token
    await ask('POST', '/api/auth/logout', { token: tester.token })
    expect([await lives(token), await lives(next), await lives(others)]).toEqual([false, false, true])
    expect([await lives(first.token), await lives(second.token)]).toEqual([true, true])
  })

  test('its exit leaves the session that it was begun from', async () => {
    const [tester, user] = [await given.user(), await given.user()]
    const { token } = (await impersonate(user.id, tester.token)).body
    await ask('POST', '/api/auth/logout', { token })
    expect([await lives(token), await lives(tester.token)]).toEqual([false, true])
  })

  test('a password that the tester changes ends what was impersonated from other log-ins', async () => {
    const [tester, user] = [await given.user({ password: 'difference-1!' }), await given.user()]
    const login = { email: tester.email, password: 'difference-1!' }
    const stolen = (await ask('POST', '/api/auth/login', { body: login })).body.token
    const fromStolen = (await impersonate(user.id, stolen)).body.token
    const fromOwn = (await impersonate(user.id, tester.token)).body.token
    const reply = await ask('PUT', '/api/auth/password', {
      token: tester.token,
      body: { currentPassword: login.password, newPassword: 'analytical-2!' },
    })
    expect(reply.body).toEqual({ endedSessions: 2 })
    expect([await lives(stolen), await lives(fromStolen), await lives(fromOwn)]).toEqual([false, false, true])
  })

  test.each([['1'], [null], [1.5], [0], [-1], [2 ** 40], [[1]], [undefined]])(
    'the user id %j is refused',
    async (userId) => {
      const reply = await impersonate(userId)
      expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request'])
    },
  )

  test('a user who is not there is not found, and nothing is begun or noted', async () => {
    const sessionsOf = async () =>
      (await database.ownerPool.query('select count(*) from sessions')).rows[0].count
    const before = await sessionsOf()
    const reply = await impersonate(2_000_000_000)
    expect([reply.status, reply.body.code]).toEqual([404, 'not_found'])
    expect(await sessionsOf()).toBe(before)
  })

  test.each([
    'evil.example',
    'evil.example:8080',
    '127.0.0.1.evil.example',
    'localhost@evil.example',
    '10.0.0.7',
  ])('a request that names the host %j is refused: its page came from elsewhere', async (host) => {
    const user = await given.user()
    for (const [method, path, body] of [
      ['GET', '/api/godmode/users', undefined],
      ['POST', '/api/godmode/impersonate', { userId: user.id }],
    ] as const) {
      const { status, code } = await raw(method, path, host, body)
      expect([status, code]).toEqual([403, 'godmode_disabled'])
    }
  })
})

test.each(['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'])(
  'a request that a proxy on this machine passes on, as its %s says, is refused',
  async (name) => {
    const user = await given.user()
    const headers = { [name]: '127.0.0.1' }
    const body = { userId: user.id }
    for (const reply of [
      await ask('GET', '/api/godmode/users', { headers }),
      await ask('POST', '/api/godmode/impersonate', { headers, body }),
    ]) {
      expect([reply.status, reply.body.code]).toEqual([403, 'godmode_disabled'])
    }
  },
)

describe.each([
  ['in production', { godmode: true, isProduction: true }],
  ['without BEY_GODMODE', { godmode: false, isProduction: false }],
])('%s', async (_where, config) => {
  const status = godmodeStatus(config)
  const off = createImpersonationService({
    database,
    clock: realClock,
    status,
    developerEmail: undefined,
    isLoopback: () => true,
  })
  const caller = { ip: '127.0.0.1', host: 'localhost', userAgent: '', requestId: 'r' }

  test('it says that it is off; nobody is listed and nobody impersonated', async () => {
    const user = await given.user()
    expect(status.enabled).toBe(false)
    for (const act of [
      () => off.users({ page: 1, limit: 50 }, caller),
      () => off.impersonate(user.id, caller),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: 'godmode_disabled', message: status.warning })
    }
  })

  test('sessions that were begun while it was on end with the start, and no others', async () => {
    const user = await given.user()
    const { token } = (await impersonate(user.id)).body
    await off.endLeftovers()
    expect((await ask('GET', '/api/auth/me', { token })).status).toBe(401)
    expect((await ask('GET', '/api/auth/me', { token: user.token })).status).toBe(200)
  })
})

// fetch sets the Host header by itself.
async function raw(method: string, path: string, host: string, body?: object) {
  const { request } = await import('node:http')
  return new Promise<{ status: number; code: string }>((done, fail) => {
    const sent = request(
      {
        port: app.port,
        host: '127.0.0.1',
        method,
        path,
        headers: { host, 'content-type': 'application/json' },
      },
      (reply) => {
        let text = ''
        reply.on('data', (chunk: Buffer) => (text += chunk.toString()))
        reply.on('end', () => done({ status: reply.statusCode ?? 0, code: JSON.parse(text).code }))
      },
    )
    sent.on('error', fail)
    sent.end(body && JSON.stringify(body))
  })
}
