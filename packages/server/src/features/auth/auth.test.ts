import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'

const app = await testApp()
const { given, ask } = app
let count = 0
const password = 'difference-1!'
const person = () => ({
  name: 'Ada',
  email: `ada-${(count += 1)}@example.com`,
  password,
  organizationName: 'Engines',
})

test('sign-up makes user, organization and session, and the user is its active owner', async () => {
  const body = person()
  const reply = await ask('POST', '/api/auth/signup', {
    body: { ...body, email: `  ${body.email.toUpperCase()}` },
  })
  expect(reply.status).toBe(201)
  const { token, user } = reply.body
  expect(user.email).toBe(body.email)
  expect(user.organizations).toEqual([{ id: user.activeOrganizationId, name: 'Engines', role: 'OWNER' }])
  expect(user.active_organization_id).toBe(user.activeOrganizationId)
  expect((await ask('GET', '/api/auth/me', { token })).body).toEqual(user)
  const { rows } = await app.database.ownerPool.query(
    'select action, actor_display, actor_email, ip from audit_entries where organization_id = $1 order by seq',
    [user.activeOrganizationId],
  )
  expect(rows).toEqual([
    { action: 'organization.create', actor_display: body.name, actor_email: body.email, ip: '127.0.0.1' },
    { action: 'user.signup', actor_display: body.name, actor_email: body.email, ip: '127.0.0.1' },
  ])
})

test('a taken email address is refused, and neither organization nor session is left behind', async () => {
  const body = person()
  await ask('POST', '/api/auth/signup', { body })
  const counts = async () =>
    (
      await app.database.ownerPool.query(
        'select (select count(*) from organizations) o, (select count(*) from sessions) s',
      )
    ).rows
  const before = await counts()
  const reply = await ask('POST', '/api/auth/signup', { body: { ...body, organizationName: 'Second' } })
  expect(reply.status).toBe(409)
  expect(reply.body.code).toBe('email_taken')
  expect(await counts()).toEqual(before)
})

test('two sign-ups with one address at once make one account', async () => {
  const body = person()
  const replies = await Promise.all([1, 2, 3].map(() => ask('POST', '/api/auth/signup', { body })))
  expect(replies.map((reply) => reply.status).sort((a, b) => a - b)).toEqual([201, 409, 409])
})

test('an address that looks like a taken one is refused, by whichever characters', async () => {
  const body = person()
  expect((await ask('POST', '/api/auth/signup', { body })).status).toBe(201)
  const [local = '', domain = ''] = body.email.split('@')
  const wide = Array.from(local, (each) => String.fromCodePoint((each.codePointAt(0) ?? 0) + 0xfee0)).join('')
  for (const email of [
    `${wide}@${domain}`,
    body.email.replace(/i|e/g, (each) => (each === 'i' ? 'ı' : 'е')),
  ]) {
    const reply = await ask('POST', '/api/auth/signup', { body: { ...body, email } })
    expect([reply.status, reply.body.code], email).toEqual([409, 'email_taken'])
    expect(reply.body.detail).toContain('looks like')
  }
  // The other way round: the address that was there first has the other characters.
  const first = { ...person(), email: `о${body.email}` }
  expect((await ask('POST', '/api/auth/signup', { body: first })).status).toBe(201)
  const second = { ...person(), email: `o${body.email}` }
  expect((await ask('POST', '/api/auth/signup', { body: second })).body.code).toBe('email_taken')
})

test.each([
  ['an empty name', 'name', ''],
  ['a name of 101 characters', 'name', 'x'.repeat(101)],
  ['a name that is a number', 'name', 7],
  ['an address without an at-sign', 'email', 'nobody'],
  ['an address with a space', 'email', 'a b@example.com'],
  ['an address of 262 characters', 'email', `${'x'.repeat(250)}@example.com`],
  ['no address', 'email', null],
  ['a short password', 'password', 'short1!'],
  ['a password without a digit', 'password', 'no-digits-here'],
  ['a password without a special character', 'password', 'nospecial1'],
  ['a password of 302 characters', 'password', `1!${'x'.repeat(300)}`],
  ['an organization name of spaces', 'organizationName', '   '],
])('sign-up with %s is refused, naming the field', async (_what, field, value) => {
  const reply = await ask('POST', '/api/auth/signup', { body: { ...person(), [field]: value } })
  expect(reply.status).toBe(400)
  expect(reply.body.code).toBe('invalid_request')
  expect(reply.body.errors.map((error: { path: string }) => error.path)).toEqual([field])
})

test('a wrong password and an unknown address are answered alike', async () => {
  const known = await given.user({ password })
  const wrong = await ask('POST', '/api/auth/login', { body: { email: known.email, password: 'other-1!' } })
  const unknown = await ask('POST', '/api/auth/login', { body: { email: 'nobody@example.com', password } })
  expect(wrong.status).toBe(400)
  const { requestId: _first, ...one } = wrong.body
  const { requestId: _second, ...other } = unknown.body
  expect(one).toEqual(other)
  expect(one.code).toBe('invalid_credentials')
})

test('an unknown address takes as long to refuse as a wrong password', async () => {
  const known = await given.user({ password })
  const time = async (email: string) => {
    const startedAt = performance.now()
    await ask('POST', '/api/auth/login', { body: { email, password: 'other-1!' } })
    return performance.now() - startedAt
  }
  await time('warm-up@example.com')
  const wrong: number[] = []
  const unknown: number[] = []
  // In turns, so that a busy machine is equally busy for both.
  for (let turn = 0; turn < 8; turn++) {
    wrong.push(await time(known.email))
    unknown.push(await time(`nobody-${turn}@example.com`))
  }
  // argon2 is some 50 times the rest, so leaving it out would show at once.
  expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...wrong) / 4)
})

test('failed log-ins are written to the trail, those of strangers without what they typed', async () => {
  const known = await given.user({ password })
  await ask('POST', '/api/auth/login', { body: { email: known.email, password: 'other-1!' } })
  await ask('POST', '/api/auth/login', { body: { email: 'my-password-1!@example.com', password } })
  const { rows } = await app.database.ownerPool.query(
    `select organization_id, actor_display, actor_email from audit_entries where outcome = 'failure' and organization_id = any($1)`,
    [[known.organizationId, 0]],
  )
  expect(rows).toContainEqual({
    organization_id: known.organizationId,
    actor_display: known.name,
    actor_email: known.email,
  })
  expect(
    rows.filter((row) => row.organization_id === 0).every((row) => row.actor_display === 'unknown'),
  ).toBe(true)
})

test('the token is stored nowhere: the database has its hash, and the hash does not log in', async () => {
  const { email } = await given.user({ password })
  const { token } = (await ask('POST', '/api/auth/login', { body: { email, password } })).body
  expect(token).toMatch(/^bey_session_[\w-]{43}$/)
  const { rows } = await app.database.ownerPool.query(
    'select s::text as row, token_hash from sessions s join users u on u.id = s.user_id where u.email = $1',
    [email],
  )
  expect(rows.some((row) => row.row.includes(token))).toBe(false)
  const hashes: Buffer[] = rows.map((row) => row.token_hash)
  expect(hashes.every((hash) => hash.length === 32)).toBe(true)
  for (const hash of hashes) {
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      expect((await ask('GET', '/api/auth/me', { token: hash.toString(encoding) })).status).toBe(401)
    }
  }
})

test('log-out ends this session and no other', async () => {
  const user = await given.user({ password })
  const other = (await ask('POST', '/api/auth/login', { body: { email: user.email, password } })).body.token
  expect((await ask('POST', '/api/auth/logout', { token: user.token, body: '' })).status).toBe(204)
  expect((await ask('GET', '/api/auth/me', { token: user.token })).status).toBe(401)
  expect((await ask('GET', '/api/auth/me', { token: other })).status).toBe(200)
})

test('an expired session is over', async () => {
  const user = await given.user()
  await app.database.ownerPool.query(
    `update sessions set expires_at = now() - interval '1 second' where id = $1`,
    [user.sessionId],
  )
  const reply = await ask('GET', '/api/auth/me', { token: user.token })
  expect(reply.status).toBe(401)
  expect(reply.body.code).toBe('unauthenticated')
})

test('a session in use slides to 30 days from now, at most once an hour', async () => {
  const user = await given.user()
  const expiry = async () =>
    (
      await app.database.ownerPool.query('select expires_at from sessions where id = $1', [user.sessionId])
    ).rows[0].expires_at.getTime()
  await app.database.ownerPool.query(
    `update sessions set expires_at = now() + interval '1 day', last_used_at = now() - interval '2 hours' where id = $1`,
    [user.sessionId],
  )
  await ask('GET', '/api/auth/me', { token: user.token })
  const slid = await expiry()
  expect(slid).toBeGreaterThan(Date.now() + 29.9 * 86_400_000)
  await ask('GET', '/api/auth/me', { token: user.token })
  expect(await expiry()).toBe(slid)
})

test('a password hash of weaker parameters is made anew at log-in', async () => {
  const weak = await testAppPasswords()
  const user = await given.user({ password })
  await app.database.ownerPool.query('update users set password_hash = $1 where id = $2', [weak, user.id])
  expect((await ask('POST', '/api/auth/login', { body: { email: user.email, password } })).status).toBe(200)
  const { rows } = await app.database.ownerPool.query('select password_hash from users where id = $1', [
    user.id,
  ])
  expect(rows[0].password_hash).not.toBe(weak)
  expect((await ask('POST', '/api/auth/login', { body: { email: user.email, password } })).status).toBe(200)
})

async function testAppPasswords(): Promise<string> {
  const { createPasswords } = await import('../../platform/crypto/password.ts')
  return createPasswords({ memoryKib: 8192, passes: 1 }).hash(password)
}

test.each([
  ['is missing', undefined],
  ['has no token', 'Bearer'],
  ['has an empty token', 'Bearer '],
  ['has two tokens', 'Bearer x y'],
  ['is of another scheme', 'Basic YTpi'],
  ['is far too long', `Bearer ${'x'.repeat(5000)}`],
  ['tries SQL', "Bearer ' or 1=1 --"],
  ['has an unknown token', 'Bearer bey_session_0000000000000000000000000000000000000000000'],
])('an Authorization that %s is nobody', async (_what, authorization) => {
  const reply = await ask('GET', '/api/auth/me', {
    headers: authorization === undefined ? {} : { authorization },
  })
  expect(reply.status).toBe(401)
  expect(reply.body.code).toBe('unauthenticated')
})

test('impersonation says that it is off, and why', async () => {
  const reply = await ask('GET', '/api/godmode/status')
  expect(reply.body).toEqual({
    enabled: false,
    warning: 'Impersonation is off. It needs BEY_GODMODE=1 on a development server.',
  })
  const user = await given.user()
  for (const refused of [
    await ask('GET', '/api/godmode/users'),
    await ask('POST', '/api/godmode/impersonate', { body: { userId: user.id } }),
  ]) {
    expect([refused.status, refused.body.code]).toEqual([403, 'godmode_disabled'])
  }
})
