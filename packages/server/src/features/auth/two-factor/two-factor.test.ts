import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type Ask, testApp } from '../../../testing/app.ts'
import type { GivenUser } from '../../../testing/given.ts'
import { codeOf, enableTotp } from '../../../testing/second-factor.ts'
import { createAuthenticator } from '../../../testing/software-authenticator.ts'

const app = await testApp({ trustedProxies: ['127.0.0.1'] })
const { ask, given, database } = app
const password = 'difference-1!'
const origin = 'https://bey.example'
const headers = { 'x-forwarded-host': 'bey.example' }

const logIn = (user: GivenUser) => ask('POST', '/api/auth/login', { body: { email: user.email, password } })
const complete = (body: object, more: Ask = {}) => ask('POST', '/api/auth/second-factor', { body, ...more })
const ticketOf = async (user: GivenUser): Promise<string> => (await logIn(user)).body.secondFactor.ticket

async function secured() {
  const user = await given.user({ password })
  return { user, ...(await enableTotp(app, user)) }
}

async function passkeyOf({ token }: GivenUser) {
  const authenticator = createAuthenticator({ origin })
  const { body } = await ask('POST', '/api/auth/passkeys/options', { token, headers })
  const passkey = authenticator.create(body.options)
  const made = await ask('POST', '/api/auth/passkeys', { token, headers, body: { name: 'Laptop', passkey } })
  return { ...authenticator, made }
}

const optionsFor = async (body: object, as: Ask = {}) =>
  (await ask('POST', '/api/auth/passkey-options', { ...as, body, headers })).body.options

const actionsOf = async (organizationId: number) =>
  (
    await database.ownerPool.query<{ action: string; outcome: string }>(
      'select action, outcome from audit_entries where organization_id = $1 order by seq',
      [organizationId],
    )
  ).rows.map(({ action, outcome }) => `${action} ${outcome}`)

const ageConfirmation = ({ sessionId }: GivenUser) =>
  database.ownerPool.query(`update sessions set confirmed_at = now() - interval '11 min' where id = $1`, [
    sessionId,
  ])

test('with two factors a password answers no token, and a code of the app completes the sign-in', async () => {
  const { user, secret } = await secured()
  const first = await logIn(user)
  expect(first.status).toBe(200)
  expect(first.body).toEqual({
    secondFactor: {
      ticket: expect.any(String),
      methods: ['totp', 'recovery'],
      expiresAt: expect.any(String),
    },
  })
  expect(first.headers.get('set-cookie')).toBeNull()
  const reply = await complete({ ticket: first.body.secondFactor.ticket, code: codeOf(secret, 1) })
  expect(reply.status).toBe(200)
  expect(reply.body.user.id).toBe(user.id)
  expect((await ask('GET', '/api/auth/me', { token: reply.body.token })).status).toBe(200)
})

test('the secret of the app is stored sealed, and recovery codes by their hash', async () => {
  const { user, secret, recoveryCodes } = await secured()
  expect(recoveryCodes).toHaveLength(10)
  expect(new Set(recoveryCodes).size).toBe(10)
  const { rows } = await database.ownerPool.query(
    `select encode(t.secret, 'escape') || string_agg(encode(r.code_hash, 'escape'), '') as text
     from user_totp t join recovery_codes r using (user_id) where user_id = $1 group by t.secret`,
    [user.id],
  )
  for (const plain of [secret, ...recoveryCodes]) expect(rows[0].text).not.toContain(plain)
})

test('a code is accepted once, not even by two sign-ins at the same moment', async () => {
  const { user, secret } = await secured()
  const tickets = [await ticketOf(user), await ticketOf(user), await ticketOf(user)]
  const code = codeOf(secret, 1)
  const replies = await Promise.all(tickets.map((ticket) => complete({ ticket, code })))
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
  const replay = await complete({ ticket: await ticketOf(user), code })
  expect([replay.status, replay.body.code]).toEqual([400, 'invalid_credentials'])
  const older = await complete({ ticket: await ticketOf(user), code: codeOf(secret) })
  expect(older.status).toBe(400)
})

test('five wrong codes end a sign-in, ten an account’s guesses, and each is in the trail', async () => {
  const { user } = await secured()
  const guess = async (ticket: string, count: number) => {
    const codes: string[] = []
    for (let n = 0; n < count; n += 1) codes.push((await complete({ ticket, code: '000000' })).body.code)
    return codes
  }
  const first = await ticketOf(user)
  expect(await guess(first, 6)).toEqual([
    ...Array.from({ length: 4 }, () => 'invalid_credentials'),
    'ticket_expired',
    'ticket_expired',
  ])
  // The code that turned it on has counted, too.
  expect(await guess(await ticketOf(user), 5)).toEqual([
    ...Array.from({ length: 4 }, () => 'invalid_credentials'),
    'rate_limited',
  ])
  const failures = (await actionsOf(user.organizationId)).filter(
    (each) => each === 'session.second_factor failure',
  )
  expect(failures).toHaveLength(9)
})

test('a recovery code is accepted once, however it is typed', async () => {
  const { user, recoveryCodes } = await secured()
  const [one = ''] = recoveryCodes
  const typed = ` ${one.toUpperCase().replaceAll('-', ' ')}`
  expect((await complete({ ticket: await ticketOf(user), recoveryCode: typed })).status).toBe(200)
  const again = await complete({ ticket: await ticketOf(user), recoveryCode: one })
  expect([again.status, again.body.code]).toEqual([400, 'invalid_credentials'])
  const { body } = await ask('GET', '/api/auth/security', { token: user.token })
  expect(body.recoveryCodesLeft).toBe(9)
  const renewed = await ask('POST', '/api/auth/recovery-codes', { token: user.token })
  expect(renewed.body.recoveryCodes).toHaveLength(10)
  expect((await complete({ ticket: await ticketOf(user), recoveryCode: recoveryCodes[1] })).status).toBe(400)
})

test('a changed password ends sign-ins that were begun with the one before', async () => {
  const { user, secret } = await secured()
  const ticket = await ticketOf(user)
  const body = { currentPassword: password, newPassword: 'analytical-2!' }
  expect((await ask('PUT', '/api/auth/password', { token: user.token, body })).status).toBe(200)
  expect((await complete({ ticket, code: codeOf(secret, 1) })).body.code).toBe('ticket_expired')
})

test('a passkey logs in alone, and only with its own challenge, once', async () => {
  const user = await given.user({ password })
  const authenticator = await passkeyOf(user)
  expect(authenticator.made.status).toBe(201)
  expect(authenticator.made.body).toMatchObject({ name: 'Laptop', relyingParty: 'bey.example' })
  const passkey = authenticator.get(await optionsFor({}))
  const logInBy = (assertion: object) =>
    ask('POST', '/api/auth/passkey', { body: { passkey: assertion }, headers })
  const reply = await logInBy(passkey)
  expect([reply.status, reply.body.user?.id]).toEqual([200, user.id])
  const replay = await logInBy(passkey)
  expect([replay.status, replay.body.code]).toEqual([400, 'invalid_credentials'])
  const stale = authenticator.get({ challenge: 'of-nobody' })
  expect((await logInBy(stale)).status).toBe(400)
})

test('what another site got signed by the same passkey is refused, and audited', async () => {
  const user = await given.user()
  const authenticator = await passkeyOf(user)
  const logInBy = (passkey: object) => ask('POST', '/api/auth/passkey', { body: { passkey }, headers })
  for (const site of [
    { at: 'https://bey.example.evil.test', party: 'bey.example' },
    { at: origin, party: 'evil.test' },
    { at: 'https://evil.test', party: 'evil.test' },
  ]) {
    const reply = await logInBy(authenticator.get(await optionsFor({}), site))
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_credentials'])
  }
  const forged = createAuthenticator({ origin }).get(await optionsFor({}))
  expect((await logInBy({ ...forged, id: authenticator.id, rawId: authenticator.id })).status).toBe(400)
  expect(await actionsOf(0)).toContain('session.begin denied')
})

test('a passkey is a second factor of its own user alone', async () => {
  const { user } = await secured()
  const [own, other] = [await passkeyOf(user), await passkeyOf(await given.user())]
  const first = await logIn(user)
  expect(first.body.secondFactor.methods).toEqual(['totp', 'passkey', 'recovery'])
  const { ticket } = first.body.secondFactor
  const foreign = other.get(await optionsFor({ ticket }))
  expect((await complete({ ticket, passkey: foreign }, { headers })).status).toBe(400)
  const forLogIn = own.get(await optionsFor({}))
  expect((await complete({ ticket, passkey: forLogIn }, { headers })).status).toBe(400)
  const right = own.get(await optionsFor({ ticket }))
  expect((await complete({ ticket, passkey: right }, { headers })).status).toBe(200)
})

test('an organization sees who of its members has a second factor, and of nobody else', async () => {
  const { user } = await secured()
  const { organizationId } = user
  const other = await given.user({ organizationId, role: 'MEMBER' })
  await passkeyOf(other)
  await given.user({ organizationId, role: 'MEMBER' })
  await secured()
  const rows = await database.readTenant(organizationId, async (db) =>
    db.execute(
      sql`select user_id, second_factor from second_factors_of_members(array(select generate_series(1, 10000))) order by user_id`,
    ),
  )
  expect(rows.rows).toEqual([
    { user_id: user.id, second_factor: 'code' },
    { user_id: other.id, second_factor: 'passkey' },
  ])
})

test('by an IP address passkeys are refused with the reason', async () => {
  const { token } = await given.user()
  const refused = await ask('POST', '/api/auth/passkeys/options', { token })
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  expect(refused.body.detail).toContain('host name')
  expect((await ask('GET', '/api/auth/options')).body.passkeyRefusal).toContain('host name')
})

test('dangerous acts ask for a confirmation that is not older than ten minutes', async () => {
  const user = await given.user({ password })
  const { token } = user
  const begin = () => ask('POST', '/api/auth/totp', { token })
  expect((await begin()).status).toBe(200)
  await ageConfirmation(user)
  const refused = await begin()
  expect([refused.status, refused.body.code]).toEqual([403, 'step_up_required'])
  const wrong = await ask('POST', '/api/auth/step-up', { token, body: { password: 'other-1!' } })
  expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_credentials'])
  expect((await begin()).status).toBe(403)
  expect((await ask('GET', '/api/auth/step-up', { token })).body.methods).toEqual(['password'])
  expect((await ask('POST', '/api/auth/step-up', { token, body: { password } })).status).toBe(200)
  expect((await begin()).status).toBe(200)
  expect(await actionsOf(user.organizationId)).toEqual(['session.confirm failure', 'session.confirm success'])
})

test('with two factors a password does not confirm, a code or a passkey does', async () => {
  const { user, secret } = await secured()
  const authenticator = await passkeyOf(user)
  const { token } = user
  await ageConfirmation(user)
  const confirm = (body: object) => ask('POST', '/api/auth/step-up', { token, body, headers })
  expect((await confirm({ password })).body.code).toBe('conflict')
  const disable = () => ask('DELETE', '/api/auth/totp', { token })
  expect((await disable()).body.code).toBe('step_up_required')
  const passkey = authenticator.get(await optionsFor({}, { token }))
  expect((await confirm({ passkey })).status).toBe(200)
  await ageConfirmation(user)
  expect((await confirm({ code: codeOf(secret, 1) })).status).toBe(200)
  expect((await disable()).status).toBe(204)
  expect((await logIn(user)).body.token).toMatch(/^bey_session_/)
})

test('a secret that was not confirmed asks nobody for a code', async () => {
  const user = await given.user({ password })
  await ask('POST', '/api/auth/totp', { token: user.token })
  expect((await logIn(user)).body.token).toMatch(/^bey_session_/)
})

test('another app takes the place of the one in use once its code was entered, with new recovery codes', async () => {
  const { user, secret, recoveryCodes } = await secured()
  const confirm = (code: string) => ask('PUT', '/api/auth/totp', { token: user.token, body: { code } })
  expect((await confirm(codeOf(secret, 1))).body.code).toBe('conflict')
  const { body: begun } = await ask('POST', '/api/auth/totp', { token: user.token })
  // Until then the app in use counts, and its codes confirm no other one.
  expect((await confirm(codeOf(secret, 1))).body.code).toBe('invalid_credentials')
  expect((await complete({ ticket: await ticketOf(user), code: codeOf(secret, 1) })).status).toBe(200)
  const done = await confirm(codeOf(begun.secret))
  expect(done.status).toBe(200)
  const refused = [{ code: codeOf(secret, 1) }, { recoveryCode: recoveryCodes[0] }]
  for (const proof of refused)
    expect((await complete({ ticket: await ticketOf(user), ...proof })).status).toBe(400)
  const renewed = { recoveryCode: done.body.recoveryCodes[0] }
  expect((await complete({ ticket: await ticketOf(user), ...renewed })).status).toBe(200)
  expect(await actionsOf(user.organizationId)).toContain('user.replace_two_factor success')
})

test('where a second factor is required a passkey is asked for after the password, from whatever address', async () => {
  const user = await given.user({ password })
  const { get, made } = await passkeyOf(user)
  expect(made.status).toBe(201)
  expect((await logIn(user)).body.token).toBeDefined()
  await database.ownerPool.query(
    'insert into organization_policies (organization_id, two_factor_from) values ($1, now())',
    [user.organizationId],
  )
  // This request names an address that has no passkeys, which opens nothing.
  const { secondFactor } = (await logIn(user)).body
  expect(secondFactor.methods).toEqual(['passkey'])
  const { ticket } = secondFactor
  const passkey = get(await optionsFor({ ticket }))
  expect((await complete({ ticket, passkey }, { headers })).body.token).toBeDefined()
})
