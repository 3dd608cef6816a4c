import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'
import { enableTotp } from '../../testing/second-factor.ts'
import { soonMs } from '../../testing/soon.ts'

const app = await testApp()
const { ask, given, database } = app

const none = {
  auditRetentionDays: null,
  sessionLifeHours: null,
  sessionIdleMinutes: null,
  twoFactorFrom: null as string | null,
  allowsPassword: true,
  allowedDomains: [] as string[],
  allowedNetworks: [] as string[],
}

const of = ({ token, organizationId }: GivenUser) => ({ token, organizationId })
const put = (user: GivenUser, change: Partial<typeof none> | Record<string, unknown>) =>
  ask('PUT', '/api/policies', { ...of(user), body: { ...none, ...change } })
const clusters = (user: GivenUser) => ask('GET', '/api/kubernetes/clusters', of(user))

/** Stored past the checks, as another owner elsewhere would have. */
async function store(user: GivenUser, column: string, value: string): Promise<void> {
  await database.ownerPool.query(
    `insert into organization_policies (organization_id, ${column}) values ($1, ${value})
     on conflict (organization_id) do update set ${column} = ${value}`,
    [user.organizationId],
  )
}

test('owners change the policies, everybody reads them, and what changed is in the audit log', async () => {
  const owner = await given.user()
  expect((await ask('GET', '/api/policies', of(owner))).body).toEqual(none)
  const wanted = { ...none, sessionLifeHours: 12, auditRetentionDays: 400, allowedNetworks: ['127.0.0.0/8'] }
  expect((await put(owner, wanted)).body).toEqual(wanted)
  const { organizationId } = owner
  const viewer = await given.user({ organizationId, role: 'VIEWER' })
  expect((await ask('GET', '/api/policies', of(viewer))).body).toEqual(wanted)
  const admin = await given.user({ organizationId, role: 'ADMIN' })
  expect((await put(admin, none)).body.code).toBe('forbidden')
  const { body } = await ask('GET', '/api/audit?action=policies.update', of(owner))
  const { body: entry } = await ask('GET', `/api/audit/${body.entries[0].id}`, of(owner))
  expect(entry.diff).toMatchObject({ sessionLifeHours: { from: null, to: 12 } })
})

test('nobody locks themselves out, and what is no network or domain is refused', async () => {
  const owner = await given.user({ email: 'owner@example.com' })
  expect((await put(owner, { allowedNetworks: ['10.0.0.0/8'] })).body).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('lock yourself out'),
  })
  expect((await put(owner, { allowedDomains: ['other.com'] })).body.code).toBe('conflict')
  expect((await put(owner, { allowedNetworks: ['nowhere'] })).body).toMatchObject({
    code: 'invalid_request',
    errors: [{ path: 'allowedNetworks.0' }],
  })
  expect((await put(owner, { allowedDomains: ['@example.com'] })).status).toBe(400)
  expect((await put(owner, { sessionIdleMinutes: 1 })).status).toBe(400)
  expect((await put(owner, { allowedDomains: ['Example.com', 'example.com'] })).body.allowedDomains).toEqual([
    'example.com',
  ])
})

test('another network is refused over HTTP with the reason, and the own account stays reachable', async () => {
  const owner = await given.user()
  await store(owner, 'allowed_networks', `'{10.0.0.0/8}'`)
  expect((await clusters(owner)).body).toMatchObject({
    code: 'forbidden',
    detail: expect.stringContaining('certain networks'),
  })
  expect((await ask('GET', '/api/auth/me', of(owner))).status).toBe(200)
  const { organizationId } = owner
  const proxied = await ask('GET', '/api/kubernetes/clusters/1/proxy/api/v1/pods', of(owner))
  expect([proxied.status, proxied.body.message]).toEqual([403, expect.stringContaining('certain networks')])
  await store(owner, 'allowed_networks', `'{127.0.0.0/8}'`)
  expect((await ask('GET', '/api/kubernetes/clusters', { ...of(owner), organizationId })).status).toBe(200)
})

test('an address of another domain is refused', async () => {
  const owner = await given.user({ email: 'first@example.com' })
  await store(owner, 'allowed_domains', `'{else.com}'`)
  expect((await clusters(owner)).body).toMatchObject({
    code: 'forbidden',
    detail: expect.stringContaining('else.com'),
  })
})

test('a session ends by its age and by not being used, and use keeps it from that', async () => {
  const owner = await given.user()
  await store(owner, 'session_life_hours', '2')
  await store(owner, 'session_idle_minutes', '30')
  const age = (column: string, by: string) =>
    database.ownerPool.query(`update sessions set ${column} = now() - interval '${by}' where id = $1`, [
      owner.sessionId,
    ])
  await age('last_used_at', '20 minutes')
  expect((await clusters(owner)).status).toBe(200)
  const { rows } = await database.ownerPool.query<{ age: string }>(
    `select now() - last_used_at < interval '1 minute' as age from sessions where id = $1`,
    [owner.sessionId],
  )
  expect(rows).toEqual([{ age: true }])
  await age('last_used_at', '32 minutes')
  expect((await clusters(owner)).body.code).toBe('unauthenticated')
  expect((await clusters(owner)).body.code).toBe('unauthenticated')
  await age('last_used_at', '1 minute')
  await age('created_at', '3 hours')
  expect((await clusters(owner)).body.code).toBe('unauthenticated')
})

test('an idle time ends no session in use, that of its author first', async () => {
  const owner = await given.user()
  const usedBefore = (minutes: number) =>
    database.ownerPool.query(
      `update sessions set last_used_at = last_used_at - make_interval(mins => $2) where id = $1`,
      [owner.sessionId, minutes],
    )
  // Used all the time for 50 minutes before the policy comes.
  for (let minute = 0; minute < 50; minute += 1) {
    await usedBefore(1)
    expect((await clusters(owner)).status).toBe(200)
  }
  expect((await put(owner, { sessionIdleMinutes: 5 })).status).toBe(200)
  for (let n = 0; n < 3; n += 1) {
    await usedBefore(4)
    expect((await clusters(owner)).status).toBe(200)
  }
  // What an unattended page asks for keeps no session alive.
  const unattended = () =>
    ask('GET', '/api/kubernetes/clusters', { ...of(owner), headers: { 'x-bey-unattended': '1' } })
  await usedBefore(4)
  expect((await unattended()).status).toBe(200)
  await usedBefore(3)
  expect((await unattended()).body.code).toBe('unauthenticated')
})

/** An open socket of a token; `closed` resolves with the code that ends it. */
async function openSocket(token: string, organizationId: number): Promise<{ closed: Promise<number> }> {
  const socket = new WebSocket(`ws://127.0.0.1:${app.port}/ws`)
  const authenticated = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<number>()
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(String(data)) as { type: string; payload: { success?: boolean } }
    if (frame.type === 'CONNECTED') {
      const payload = { token, organizationId }
      socket.send(JSON.stringify({ type: 'AUTHENTICATE', id: '1', payload }))
    }
    if (frame.type === 'AUTHENTICATED' && frame.payload.success) authenticated.resolve()
  })
  socket.addEventListener('close', ({ code }) => closed.resolve(code))
  await authenticated.promise
  return { closed: closed.promise }
}

test('an open socket ends when the policies shut its user out', async () => {
  const owner = await given.user({ email: 'keeper@example.com' })
  const { organizationId } = owner
  const guest = await given.user({ organizationId, role: 'MEMBER', email: 'guest@else.com' })
  const socket = await openSocket(guest.token, organizationId)
  const startedAt = performance.now()
  expect((await put(owner, { allowedDomains: ['example.com'] })).status).toBe(200)
  expect(await socket.closed).toBe(1008)
  expect(performance.now() - startedAt).toBeLessThan(soonMs)
})

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const membership = async ({ token }: Pick<GivenUser, 'token'>) =>
  (await ask('GET', '/api/auth/me', { token })).body.organizations[0]

test('who has no second factor is asked for one in the grace period, and refused everywhere after it', async () => {
  const owner = await given.user()
  await enableTotp(app, owner)
  const { organizationId } = owner
  const member = await given.user({ organizationId, role: 'MEMBER' })
  const sockets = [
    await openSocket(member.token, organizationId),
    await openSocket(owner.token, organizationId),
  ]
  const personal = await given.apiKey(member)
  const shared = await given.apiKey(owner, { isPersonal: false })
  const from = inDays(7)
  expect((await put(owner, { twoFactorFrom: from })).status).toBe(200)
  expect((await membership(member)).secondFactorFrom).toBe(from)
  expect(await membership(owner)).not.toHaveProperty('secondFactorFrom')
  expect((await clusters(member)).status).toBe(200)

  expect((await put(owner, { twoFactorFrom: inDays(-1) })).status).toBe(200)
  expect((await clusters(member)).body).toMatchObject({
    code: 'second_factor_required',
    detail: expect.stringContaining('Set up an authenticator app or a passkey'),
  })
  expect(await sockets[0]?.closed).toBe(1008)
  const proxied = await ask('GET', '/api/kubernetes/clusters/1/proxy/api/v1/pods', of(member))
  expect([proxied.status, proxied.body.message]).toEqual([403, expect.stringContaining('second factor')])
  const byKey = (token: string) => ask('GET', '/api/kubernetes/clusters', { token })
  expect((await byKey(personal.token)).body.code).toBe('second_factor_required')
  expect((await byKey(shared.token)).status).toBe(200)
  expect((await clusters(owner)).status).toBe(200)

  await enableTotp(app, member)
  expect((await clusters(member)).status).toBe(200)
  expect((await byKey(personal.token)).status).toBe(200)
  expect(await membership(member)).not.toHaveProperty('secondFactorFrom')
})

test('an open socket ends when the grace period does, and who has a second factor stays', async () => {
  const owner = await given.user()
  await enableTotp(app, owner)
  const { organizationId } = owner
  const member = await given.user({ organizationId, role: 'MEMBER' })
  const socket = await openSocket(member.token, organizationId)
  let hasOwnerLeft = false
  void (await openSocket(owner.token, organizationId)).closed.then(() => (hasOwnerLeft = true))
  const endsAt = Date.now() + 2_000
  expect((await put(owner, { twoFactorFrom: new Date(endsAt).toISOString() })).status).toBe(200)
  expect(await socket.closed).toBe(1008)
  expect(Date.now() - endsAt).toBeGreaterThanOrEqual(0)
  // Without its own timer it would be looked at once a minute.
  expect(Date.now() - endsAt).toBeLessThan(20_000)
  expect(hasOwnerLeft).toBe(false)
})

test('nobody requires a second factor who has none, and nobody gives up the last one where it is required', async () => {
  const owner = await given.user()
  expect((await put(owner, { twoFactorFrom: inDays(7) })).body).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('own account has no second factor'),
  })
  await enableTotp(app, owner)
  expect((await put(owner, { twoFactorFrom: inDays(91) })).body).toMatchObject({
    code: 'invalid_request',
    errors: [{ path: 'twoFactorFrom' }],
  })
  expect((await put(owner, { twoFactorFrom: inDays(0) })).status).toBe(200)
  const off = () => ask('DELETE', '/api/auth/totp', { token: owner.token })
  expect((await off()).body).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('you would lock yourself out'),
  })
  expect((await clusters(owner)).status).toBe(200)
  expect((await put(owner, {})).status).toBe(200)
  expect((await off()).status).toBe(204)
})

test('where passwords are off a session that began with one is refused, and a passkey is let in', async () => {
  const owner = await given.user()
  expect((await put(owner, { allowsPassword: false })).body).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('You logged in with a password yourself'),
  })
  const beganWith = ({ sessionId }: GivenUser, method: string) =>
    database.ownerPool.query('update sessions set method = $2 where id = $1', [sessionId, method])
  await beganWith(owner, 'passkey')
  const { organizationId } = owner
  const member = await given.user({ organizationId, role: 'MEMBER' })
  const socket = await openSocket(member.token, organizationId)
  const personal = await given.apiKey(member)
  const startedAt = performance.now()
  expect((await put(owner, { allowsPassword: false })).status).toBe(200)
  expect(await socket.closed).toBe(1008)
  expect(performance.now() - startedAt).toBeLessThan(soonMs)
  expect((await clusters(member)).body).toMatchObject({
    code: 'password_sign_in_off',
    detail: expect.stringContaining('Log in with a passkey or a linked account'),
  })
  expect(await membership(member)).toMatchObject({ refusesPassword: true })
  // A key is no sign-in.
  expect((await ask('GET', '/api/kubernetes/clusters', { token: personal.token })).status).toBe(200)
  await beganWith(member, 'github')
  expect((await clusters(member)).status).toBe(200)
  expect(await membership(member)).not.toHaveProperty('refusesPassword')
  expect((await clusters(owner)).status).toBe(200)
})
