import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { lockWait } from '../../testing/lock-wait.ts'

const rateLimits = { credentialsPerAddress: 10_000, credentialsPerAccount: 5 }
const { ask, given, database } = await testApp({}, { rateLimits })
const password = 'difference-1!'
const newPassword = 'analytical-2!'

const trail = async (organizationId: number) =>
  (
    await database.ownerPool.query(
      'select action, outcome, diff from audit_entries where organization_id = $1 order by seq',
      [organizationId],
    )
  ).rows

const logIn = (email: string, word: string) =>
  ask('POST', '/api/auth/login', { body: { email, password: word } })

test('a name is changed for everybody who sees it, and each organization has it in its trail', async () => {
  const user = await given.user({ name: 'Ada' })
  const { body: second } = await ask('POST', '/api/organizations', {
    token: user.token,
    body: { name: 'Second' },
    headers: { 'idempotency-key': 'second' },
  })
  const reply = await ask('PATCH', '/api/auth/me', { token: user.token, body: { name: '  Ada Lovelace ' } })
  expect([reply.status, reply.body.name]).toEqual([200, 'Ada Lovelace'])
  expect((await ask('GET', '/api/auth/me', { token: user.token })).body.name).toBe('Ada Lovelace')
  const row = { action: 'user.rename', outcome: 'success', diff: { name: ['Ada', 'Ada Lovelace'] } }
  expect(await trail(user.organizationId)).toContainEqual(row)
  expect(await trail(second.organization.id)).toContainEqual(row)
})

test('the same name again writes nothing', async () => {
  const user = await given.user({ name: 'Ada' })
  expect((await ask('PATCH', '/api/auth/me', { token: user.token, body: { name: 'Ada' } })).status).toBe(200)
  expect(await trail(user.organizationId)).toEqual([])
})

test.each([
  ['empty', { name: '  ' }],
  ['of 101 characters', { name: 'x'.repeat(101) }],
  ['a number', { name: 7 }],
  ['joined by another field', { name: 'Ada', email: 'other@example.com' }],
  ['missing', {}],
])('a name that is %s is refused', async (_what, body) => {
  const user = await given.user({ name: 'Ada' })
  expect((await ask('PATCH', '/api/auth/me', { token: user.token, body })).status).toBe(400)
  expect((await ask('GET', '/api/auth/me', { token: user.token })).body.name).toBe('Ada')
})

test('a changed password ends every other session of the user and no other, and says how many', async () => {
  const [user, other] = [await given.user({ password }), await given.user()]
  const elsewhere = [await logIn(user.email, password), await logIn(user.email, password)]
  const reply = await ask('PUT', '/api/auth/password', {
    token: user.token,
    body: { currentPassword: password, newPassword },
  })
  expect([reply.status, reply.body]).toEqual([200, { endedSessions: 2 }])
  expect((await ask('GET', '/api/auth/me', { token: user.token })).status).toBe(200)
  expect((await ask('GET', '/api/auth/me', { token: other.token })).status).toBe(200)
  for (const { body } of elsewhere) {
    expect((await ask('GET', '/api/auth/me', { token: body.token })).status).toBe(401)
  }
  expect((await logIn(user.email, password)).status).toBe(400)
  expect((await logIn(user.email, newPassword)).status).toBe(200)
  const rows = await trail(user.organizationId)
  expect(rows).toContainEqual({
    action: 'user.change_password',
    outcome: 'success',
    diff: { endedSessions: 2 },
  })
  expect(JSON.stringify(rows)).not.toContain(newPassword)
})

test('a log-in whose password is changed while it is checked is refused', async () => {
  const [user, other] = [await given.user({ password }), await given.user({ password: newPassword })]
  const change = await database.ownerPool.connect()
  try {
    await change.query('begin')
    await change.query(
      'update users set password_hash = (select password_hash from users where id = $2) where id = $1',
      [user.id, other.id],
    )
    // It still reads the password that is being changed.
    const loggingIn = logIn(user.email, password)
    await Promise.race([loggingIn, lockWait(database)])
    await change.query('commit')
    expect((await loggingIn).body).toMatchObject({ code: 'invalid_credentials' })
  } finally {
    await change.query('rollback')
    change.release()
  }
  expect((await logIn(user.email, newPassword)).status).toBe(200)
  const { rows } = await database.ownerPool.query('select 1 from sessions where user_id = $1', [user.id])
  expect(rows).toHaveLength(2)
})

test('a wrong current password changes nothing, ends nothing, and is noted', async () => {
  const user = await given.user({ password })
  const reply = await ask('PUT', '/api/auth/password', {
    token: user.token,
    body: { currentPassword: 'other-1!', newPassword },
  })
  expect([reply.status, reply.body.code]).toEqual([400, 'invalid_credentials'])
  expect((await ask('GET', '/api/auth/me', { token: user.token })).status).toBe(200)
  expect((await logIn(user.email, password)).status).toBe(200)
  expect(await trail(user.organizationId)).toContainEqual({
    action: 'user.change_password',
    outcome: 'failure',
    diff: null,
  })
})

test.each([
  ['too short', 'short1!'],
  ['without a digit', 'no-digits-here'],
  ['of 302 characters', `1!${'x'.repeat(300)}`],
  ['the current one', password],
])('a new password that is %s is refused, naming the field', async (_what, wrong) => {
  const user = await given.user({ password })
  const reply = await ask('PUT', '/api/auth/password', {
    token: user.token,
    body: { currentPassword: password, newPassword: wrong },
  })
  expect([reply.status, reply.body.errors[0].path]).toEqual([400, 'newPassword'])
})

test('of two changes at once one wins, and the other is refused because its current password is wrong', async () => {
  const user = await given.user({ password })
  const replies = await Promise.all(
    ['one-12345!', 'two-12345!'].map((next) =>
      ask('PUT', '/api/auth/password', {
        token: user.token,
        body: { currentPassword: password, newPassword: next },
      }),
    ),
  )
  expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([200, 400])
})

test('somebody without a password has none to confirm', async () => {
  const user = await given.user()
  const reply = await ask('PUT', '/api/auth/password', {
    token: user.token,
    body: { currentPassword: password, newPassword },
  })
  expect(reply.body.code).toBe('invalid_credentials')
})

test('guesses at a current password count with the log-ins of their account, not with those of others', async () => {
  const [ada, bob] = [await given.user({ password }), await given.user()]
  const guess = (token: string) =>
    ask('PUT', '/api/auth/password', { token, body: { currentPassword: 'wrong-1!', newPassword } })
  const statuses: number[] = []
  for (let n = 0; n < 6; n += 1) statuses.push((await guess(ada.token)).status)
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  expect((await logIn(ada.email, password)).status).toBe(429)
  expect((await guess(bob.token)).status).toBe(400)
})
