import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { codeOf, enableTotp } from '../../testing/second-factor.ts'
import { connect, openSocket } from '../live/testing/live-server.ts'
import { rateLimits } from './rate-limits.ts'

// Everything comes by a proxy on this machine, which says who sent it.
const { ask, given, database, url } = await testApp({ trustedProxies: ['127.0.0.1'] }, { rateLimits })

const logIn = (address: string, email: string, password: string, headers: Record<string, string> = {}) =>
  ask('POST', '/api/auth/login', {
    body: { email, password },
    headers: { 'x-forwarded-for': address, ...headers },
  })

test('wrong guesses from elsewhere never lock the owner of an account out', async () => {
  const password = 'difference-1!'
  const { email } = await given.user({ password })
  const theirs = '203.0.113.9'
  for (let n = 0; n < 5; n += 1) expect((await logIn(theirs, email, 'wrong-1!')).status).toBe(400)
  expect((await logIn(theirs, email, password)).status).toBe(429)
  // The owner, on a device that has never been here.
  const first = await logIn('198.51.100.7', email, password)
  expect(first.status).toBe(200)
  const cookie = first.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^bey-device-[0-9a-f]{16}=\S+; Path=\/api\/auth; .*HttpOnly; SameSite=Strict/)

  // On the known device even from where the guesses come from.
  for (let n = 0; n < 12; n += 1) await logIn(theirs, email, 'wrong-1!')
  expect((await logIn(theirs, email, password)).status).toBe(429)
  const device = { cookie: cookie.split(';')[0] ?? '' }
  expect((await logIn(theirs, email, password, device)).status).toBe(200)
  const guesses = []
  for (let n = 0; n < 5; n += 1) guesses.push((await logIn(theirs, email, 'wrong-1!', device)).status)
  expect(guesses).toEqual([400, 400, 400, 400, 429])
})

test('a device is known to its own account only, and cannot be made up', async () => {
  const password = 'difference-1!'
  const [ada, bob] = [await given.user({ password }), await given.user({ password })]
  const first = await logIn('198.51.100.8', ada.email, password)
  const cookie = (first.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const theirs = '203.0.113.10'
  for (let n = 0; n < 10; n += 1) await logIn(theirs, `somebody-${n}@example.com`, 'wrong-1!')
  const forged = cookie.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))
  expect((await logIn(theirs, bob.email, password, { cookie })).status).toBe(429)
  expect((await logIn(theirs, ada.email, password, { cookie: forged })).status).toBe(429)
  expect((await logIn(theirs, ada.email, password, { cookie })).status).toBe(200)
})

test('anyone who has a whole IPv6 network has one limit', async () => {
  const statuses = []
  for (let n = 1; n <= 6; n += 1)
    statuses.push((await logIn(`2001:db8:1:2::${n}`, 'six@example.com', 'wrong-1!')).status)
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429])
  expect((await logIn('2001:db8:1:3::1', 'six@example.com', 'wrong-1!')).status).toBe(400)
})

test('sessions and sockets have the address that the proxy names, not one that was sent along', async () => {
  const user = await given.user({ password: 'difference-1!' })
  const reply = await logIn('1.1.1.1, 192.0.2.44', user.email, 'difference-1!')
  const { rows } = await database.ownerPool.query<{ ip: string }>(
    'select ip from sessions where user_id = $1 order by created_at desc limit 1',
    [user.id],
  )
  expect([reply.status, rows[0]?.ip]).toEqual([200, '192.0.2.44'])

  const socketUrl = `${url.replace('http', 'ws')}/ws`
  const socket = await openSocket(socketUrl, { 'x-forwarded-for': '1.1.1.1, 192.0.2.45' })
  const answered = await socket.authenticate(user.token, user.organizationId)
  expect(answered.payload).toMatchObject({ success: true, ip: '192.0.2.45' })
  socket.socket.close()
  const direct = await connect(socketUrl, user)
  expect((await direct.frame('AUTHENTICATED')).payload).toMatchObject({ ip: '127.0.0.1' })
  direct.socket.close()
})

const post = (path: string, address: string, body: object, headers: Record<string, string> = {}) =>
  ask('POST', path, { body, headers: { 'x-forwarded-for': address, ...headers } })
const password = 'difference-1!'

async function secured() {
  const user = await given.user({ password })
  return { ...user, ...(await enableTotp({ ask }, user)) }
}

test('five people behind one address log in with a code each, while others there forget their password', async () => {
  const office = '203.0.113.20'
  const people = await Promise.all(Array.from({ length: 5 }, secured))
  for (let n = 0; n < 5; n += 1)
    await post('/api/auth/forgot-password', office, { email: `f${n}@example.com` })
  const tickets: string[] = []
  for (const { email } of people) {
    // Everybody mistypes the password once, and the code.
    expect((await logIn(office, email, 'wrong-1!')).status).toBe(400)
    tickets.push((await logIn(office, email, password)).body.secondFactor.ticket)
  }
  const statuses: number[] = []
  for (const [n, ticket] of tickets.entries()) {
    statuses.push((await post('/api/auth/second-factor', office, { ticket, code: '000000' })).status)
    const code = codeOf(people[n]?.secret ?? '', 1)
    statuses.push((await post('/api/auth/second-factor', office, { ticket, code })).status)
  }
  expect(statuses).toEqual(people.flatMap(() => [400, 200]))
  for (const path of ['/api/auth/reset-password', '/api/auth/forgot-password'])
    expect((await post(path, office, { token: 'x', email: 'g@example.com', password })).status).not.toBe(429)
})

/** Somebody who knows the password guesses codes from one address after the other; answers how many were checked. */
async function guessCodes(email: string, addresses: readonly string[]): Promise<number> {
  let checked = 0
  for (const address of addresses) {
    for (let logIns = 0; logIns < 2; logIns += 1) {
      const { secondFactor } = (await logIn(address, email, password)).body
      for (let n = 0; secondFactor && n < 5; n += 1) {
        const { ticket } = secondFactor
        const reply = await post('/api/auth/second-factor', address, { ticket, code: '000000' })
        if (reply.status !== 429) checked += 1
      }
    }
  }
  return checked
}

test('wrong codes of somebody who knows the password lock the owner out nowhere', async () => {
  const { email, secret, recoveryCodes } = await secured()
  const first = (await logIn('198.51.100.30', email, password)).body.secondFactor
  const proof = { ticket: first.ticket, recoveryCode: recoveryCodes[0] }
  const entered = await post('/api/auth/second-factor', '198.51.100.30', proof)
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  expect(await guessCodes(email, ['203.0.113.30'])).toBe(10)
  // On a device that was never seen, at another address.
  const ticketAt = async (address: string, headers = {}): Promise<string> =>
    (await logIn(address, email, password, headers)).body.secondFactor.ticket
  const there = { ticket: await ticketAt('198.51.100.31'), code: codeOf(secret, 1) }
  expect((await post('/api/auth/second-factor', '198.51.100.31', there)).status).toBe(200)
  // At the address of the guesses, on a device of their own.
  const here = { ticket: await ticketAt('203.0.113.30', { cookie }), code: '000000' }
  expect((await post('/api/auth/second-factor', '203.0.113.30', here, { cookie })).body.code).toBe(
    'invalid_credentials',
  )
})

test('guesses from twelve addresses are a hundred codes and no more, and the owner has other ways in', async () => {
  const { email, secret, recoveryCodes } = await secured()
  const addresses = Array.from({ length: 12 }, (_none, n) => `203.0.113.${100 + n}`)
  const checked = await guessCodes(email, addresses)
  // One came back while this ran, on a slow machine.
  expect([99, 100, 101]).toContain(checked)
  const { ticket } = (await logIn('198.51.100.40', email, password)).body.secondFactor
  const refused = await post('/api/auth/second-factor', '198.51.100.40', { ticket, code: codeOf(secret, 1) })
  expect([refused.status, refused.body.detail]).toEqual([429, expect.stringContaining('recovery code')])
  const proof = { ticket, recoveryCode: recoveryCodes[0] }
  expect((await post('/api/auth/second-factor', '198.51.100.40', proof)).status).toBe(200)
})
