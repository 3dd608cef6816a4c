import { expect, test } from 'vitest'
import { testApp } from '../../../testing/app.ts'
import type { GivenUser } from '../../../testing/given.ts'

// Everything comes by a proxy on this machine, which says who sent it.
const { ask, given, database } = await testApp({ trustedProxies: ['127.0.0.1'] })

const home = '198.51.100.7'
const elsewhere = '203.0.113.9'
const from = (address: string) => ({ 'x-forwarded-for': address })
const program = { hostName: 'ada-laptop', client: 'bey', version: '0.1.0', platform: 'linux' }
const ended = 'This code has ended. Run bey login again.'

async function begin(address = home) {
  const { status, body } = await ask('POST', '/api/auth/device', { body: program, headers: from(address) })
  expect(status).toBe(201)
  return body as { deviceCode: string; userCode: string; verificationUrl: string; completeUrl: string }
}

const poll = (deviceCode: string) =>
  ask('POST', '/api/auth/device/token', { body: { deviceCode }, headers: from(home) })

function act(verb: 'confirm' | 'refuse', code: string, { token }: GivenUser, body?: object, address = home) {
  return ask('POST', `/api/auth/device/${code}/${verb}`, {
    token,
    headers: from(address),
    ...(verb === 'confirm' && { body: body ?? {} }),
  })
}

const look = (code: string, { token }: GivenUser, address = home) =>
  ask('GET', `/api/auth/device/${code}`, { token, headers: from(address) })

async function makeOlder(userCode: string, minutes: number) {
  const { rowCount } = await database.ownerPool.query(
    `update device_logins set created_at = created_at - make_interval(mins => $2),
       expires_at = expires_at - make_interval(mins => $2)
     where user_code_hash = sha256(convert_to($1, 'UTF8'))`,
    [userCode, minutes],
  )
  expect(rowCount).toBe(1)
}

test('a person confirms the code, and the program gets a session of theirs, named after the machine', async () => {
  const ada = await given.user()
  const { deviceCode, userCode, verificationUrl, completeUrl } = await begin()
  expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
  expect(verificationUrl).toMatch(/^http:\/\/[^/]+\/device$/)
  expect(completeUrl).toBe(`${verificationUrl}?code=${userCode}`)
  expect((await poll(deviceCode)).body).toEqual({ status: 'pending', intervalSeconds: 2 })

  const facts = await look(userCode.toLowerCase().replace('-', ''), ada)
  expect(facts.body).toMatchObject({
    ...program,
    userCode,
    ip: home,
    browserIp: home,
    isSameNetwork: true,
    needsReason: false,
    machineKnownSince: null,
  })
  expect((await act('confirm', userCode, ada)).status).toBe(204)

  const { body } = await poll(deviceCode)
  expect(body).toMatchObject({ status: 'complete', session: { user: { email: ada.email } } })
  const me = await ask('GET', '/api/auth/me', { token: body.session.token })
  expect([me.status, me.body.email]).toEqual([200, ada.email])
  const list = await ask('GET', '/api/auth/sessions', { token: ada.token })
  const mine = list.body.sessions.find((each: { deviceName: string | null }) => each.deviceName !== null)
  expect(mine).toMatchObject({ deviceName: 'ada-laptop', method: 'password', isCurrent: false })

  // It is known from now on, and revoked like any other session.
  expect((await look((await begin()).userCode, ada)).body.machineKnownSince).not.toBeNull()
  await ask('DELETE', `/api/auth/sessions/${mine.id}`, { token: ada.token })
  expect((await ask('GET', '/api/auth/me', { token: body.session.token })).status).toBe(401)
})

test('neither code is stored, and both acts are in the audit log with where the program asked from', async () => {
  const ada = await given.user()
  const confirmed = await begin()
  await act('confirm', confirmed.userCode, ada)
  const refused = await begin()
  await act('refuse', refused.userCode, ada)
  const { rows } = await database.ownerPool.query('select * from device_logins')
  const stored = JSON.stringify(rows)
  for (const { deviceCode, userCode } of [confirmed, refused]) {
    expect(stored).not.toContain(deviceCode)
    expect(stored).not.toContain(userCode)
  }
  const entries = await database.ownerPool.query<{ action: string; diff: object }>(
    `select action, diff from audit_entries where organization_id = $1 and action like 'device_login.%' order by seq`,
    [ada.organizationId],
  )
  expect(entries.rows.map(({ action }) => action)).toEqual(['device_login.confirm', 'device_login.refuse'])
  expect(JSON.stringify(entries.rows[0]?.diff)).toContain(home)
})

test('of two polls at once only one gets the token', async () => {
  const ada = await given.user()
  const { deviceCode, userCode } = await begin()
  await act('confirm', userCode, ada)
  const replies = await Promise.all(Array.from({ length: 5 }, () => poll(deviceCode)))
  const statuses = replies.map(({ body }) => body.status)
  expect(statuses.filter((status) => status === 'complete')).toHaveLength(1)
  expect(statuses.filter((status) => status === 'expired')).toHaveLength(4)
  // Nor does a later one.
  expect((await poll(deviceCode)).body).toEqual({ status: 'expired' })
})

test('a code that another person has confirmed or refused cannot be used again', async () => {
  const [ada, mallory] = [await given.user(), await given.user()]
  for (const first of ['confirm', 'refuse'] as const) {
    const { deviceCode, userCode } = await begin()
    expect((await act(first, userCode, ada)).status).toBe(204)
    for (const again of [
      act('confirm', userCode, mallory),
      act('refuse', userCode, mallory),
      look(userCode, mallory),
    ]) {
      const { status, body } = await again
      expect([status, body.code, body.detail]).toEqual([400, 'ticket_expired', ended])
    }
    const { body } = await poll(deviceCode)
    expect(first === 'confirm' ? body.session.user.email : body.status).toBe(
      first === 'confirm' ? ada.email : 'denied',
    )
  }
})

test('of two people who confirm at once only one logs the program in', async () => {
  const people = [await given.user(), await given.user()]
  const { deviceCode, userCode } = await begin()
  const replies = await Promise.all(people.map((person) => act('confirm', userCode, person)))
  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([204, 400])
  const winner = people[replies.findIndex(({ status }) => status === 204)]
  expect((await poll(deviceCode)).body.session.user.email).toBe(winner?.email)
})

test('an expired code is refused on both sides', async () => {
  const ada = await given.user()
  const { deviceCode, userCode } = await begin()
  await makeOlder(userCode, 11)
  expect((await act('confirm', userCode, ada, { reason: 'I was at lunch' })).body.detail).toBe(ended)
  expect((await poll(deviceCode)).body).toEqual({ status: 'expired' })
  // Confirmed in time, fetched too late.
  const late = await begin()
  await act('confirm', late.userCode, ada)
  await makeOlder(late.userCode, 11)
  expect((await poll(late.deviceCode)).body).toEqual({ status: 'expired' })
})

test('guessed codes and the wrong kind of code open nothing', async () => {
  const ada = await given.user()
  const { deviceCode, userCode } = await begin()
  expect((await look('BBBB-BBBB', ada)).body.code).toBe('ticket_expired')
  expect((await look('AAAA-0000', ada)).status).toBe(400)
  expect((await poll(userCode)).body).toEqual({ status: 'expired' })
  expect((await poll(`${deviceCode}x`)).body).toEqual({ status: 'expired' })
  expect((await ask('GET', '/api/auth/me', { token: deviceCode })).status).toBe(401)
  expect((await ask('GET', `/api/auth/device/${userCode}`)).status).toBe(401)
  const key = await given.apiKey(ada)
  expect((await ask('GET', `/api/auth/device/${userCode}`, { token: key.token })).status).toBe(403)
})

test('another network or an old request needs a reason, which the audit log keeps', async () => {
  const ada = await given.user()
  const far = await begin(elsewhere)
  expect((await look(far.userCode, ada)).body).toMatchObject({ isSameNetwork: false, needsReason: true })
  const refused = await act('confirm', far.userCode, ada)
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  expect(refused.body.detail).toContain(elsewhere)
  expect((await poll(far.deviceCode)).body.status).toBe('pending')
  expect((await act('confirm', far.userCode, ada, { reason: 'a machine in the data center' })).status).toBe(
    204,
  )

  const old = await begin()
  await makeOlder(old.userCode, 6)
  expect((await look(old.userCode, ada)).body).toMatchObject({ isSameNetwork: true, needsReason: true })
  expect((await act('confirm', old.userCode, ada)).body.detail).toContain('older than 5 minutes')
  const { rows } = await database.ownerPool.query<{ diff: object }>(
    `select diff from audit_entries where organization_id = $1 and action = 'device_login.confirm'`,
    [ada.organizationId],
  )
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows[0])).toContain('a machine in the data center')
})

test('a program that polls too soon is slowed down', async () => {
  const { deviceCode } = await begin()
  expect((await poll(deviceCode)).body).toEqual({ status: 'pending', intervalSeconds: 2 })
  expect((await poll(deviceCode)).body).toEqual({ status: 'slow_down', intervalSeconds: 7 })
  expect((await poll(deviceCode)).body).toEqual({ status: 'slow_down', intervalSeconds: 12 })
})

test('confirming asks who is there, and the program is no more confirmed than the browser was', async () => {
  const ada = await given.user()
  const { deviceCode, userCode } = await begin()
  await database.ownerPool.query(
    `update sessions set confirmed_at = now() - interval '1 hour' where id = $1`,
    [ada.sessionId],
  )
  expect((await act('confirm', userCode, ada)).body.code).toBe('step_up_required')
  await database.ownerPool.query(`update sessions set confirmed_at = now() where id = $1`, [ada.sessionId])
  await act('confirm', userCode, ada)
  await database.ownerPool.query(
    `update sessions set confirmed_at = now() - interval '1 hour' where id = $1`,
    [ada.sessionId],
  )
  const { token } = (await poll(deviceCode)).body.session
  expect((await ask('POST', '/api/auth/totp', { token })).body.code).toBe('step_up_required')
})

test('a session that ends takes the login with it that it had confirmed', async () => {
  const ada = await given.user()
  const { deviceCode, userCode } = await begin()
  await act('confirm', userCode, ada)
  await ask('POST', '/api/auth/logout', { token: ada.token })
  expect((await poll(deviceCode)).body).toEqual({ status: 'expired' })
})

test('what a program says of itself is bounded and cannot carry markup or control characters', async () => {
  for (const hostName of ['', 'x'.repeat(300), 'a\u202eb', 'a\nb']) {
    const { status } = await ask('POST', '/api/auth/device', { body: { ...program, hostName } })
    expect(status, JSON.stringify(hostName)).toBe(400)
  }
})
