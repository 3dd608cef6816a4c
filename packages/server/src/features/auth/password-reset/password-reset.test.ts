import { afterAll, expect, test, vi } from 'vitest'
import { testApp } from '../../../testing/app.ts'
import { startMailServer } from '../../../testing/mail-server.ts'

const mails = await startMailServer()
afterAll(() => mails.stop())
const app = await testApp({
  smtp: mails.settings,
  publicUrl: 'https://bey.example',
  trustedProxies: ['127.0.0.1'],
})
const { ask, given, database } = app
const password = 'difference-1!'
const newPassword = 'analytical-2!'

// The Host of the request is somebody else's: no link may lead there.
const headers = { 'x-forwarded-host': 'evil.example' }
const request = (email: string) => ask('POST', '/api/auth/forgot-password', { body: { email }, headers })
const reset = (token: string) =>
  ask('POST', '/api/auth/reset-password', { body: { token, password: newPassword } })
const logIn = (email: string, word: string) =>
  ask('POST', '/api/auth/login', { body: { email, password: word } })

/** The text of the newest mail to an address. */
async function mailTo(email: string, subject: string): Promise<string> {
  return vi.waitFor(
    () => {
      const found = mails.mails
        .filter(({ to, source }) => to.includes(email) && source.includes(subject))
        .at(-1)
      if (found === undefined) throw new Error(`No mail to ${email}`)
      // Quoted-printable, in which long lines are broken.
      return found.source.replaceAll('=\r\n', '').replaceAll('=3D', '=')
    },
    { timeout: 60_000, interval: 20 },
  )
}

async function linkOf(email: string): Promise<string> {
  expect((await request(email)).status).toBe(202)
  const text = await mailTo(email, 'Choose a new password')
  return /https:\/\/bey\.example\/reset-password#(\S+)/.exec(text)?.[1] ?? ''
}

test('a link chooses a new password once and ends every session', async () => {
  const user = await given.user({ password })
  const token = await linkOf(user.email)
  const reply = await reset(token)
  expect([reply.status, reply.body]).toEqual([200, { endedSessions: 1 }])
  expect((await ask('GET', '/api/auth/me', { token: user.token })).status).toBe(401)
  expect((await logIn(user.email, password)).status).toBe(400)
  expect((await logIn(user.email, newPassword)).status).toBe(200)
  const again = await reset(token)
  expect([again.status, again.body.code]).toEqual([400, 'ticket_expired'])
  expect(await mailTo(user.email, 'was changed')).toContain('Every session was ended')
  const { rows } = await database.ownerPool.query(
    'select action, outcome from audit_entries where organization_id = $1 order by seq limit 2',
    [user.organizationId],
  )
  expect(rows).toEqual([
    { action: 'user.request_password_reset', outcome: 'success' },
    { action: 'user.reset_password', outcome: 'success' },
  ])
})

test('of two resets by one link at once one succeeds', async () => {
  const token = await linkOf((await given.user({ password })).email)
  const replies = await Promise.all([reset(token), reset(token)])
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
})

test('after 30 minutes a link is refused, and the password stays', async () => {
  const user = await given.user({ password })
  const token = await linkOf(user.email)
  const { rows } = await database.ownerPool.query(
    'select extract(epoch from expires_at - created_at) / 60 as minutes from sign_in_tickets where user_id = $1',
    [user.id],
  )
  expect(Math.round(rows[0].minutes)).toBe(30)
  await database.ownerPool.query('update sign_in_tickets set expires_at = now() where user_id = $1', [
    user.id,
  ])
  expect((await reset(token)).body.code).toBe('ticket_expired')
  expect((await logIn(user.email, password)).status).toBe(200)
})

test('an unknown address is answered alike, in as much time, and gets no mail', async () => {
  const { email } = await given.user({ password })
  const timed = async (address: string) => {
    const startedAt = performance.now()
    const { status, body } = await request(address)
    return { status, body, ms: performance.now() - startedAt }
  }
  const [known, unknown] = await Promise.all([timed(email), timed('nobody@example.com')])
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body])
  expect(Math.min(known.ms, unknown.ms)).toBeGreaterThan(240)
  await mailTo(email, 'Choose a new password')
  expect(mails.mails.some(({ to }) => to.includes('nobody@example.com'))).toBe(false)
})

test('five links of an account may wait, and the newest password ends them all', async () => {
  const user = await given.user({ password })
  const first = await linkOf(user.email)
  await Promise.all(Array.from({ length: 7 }, () => request(user.email)))
  const count = async () =>
    Number(
      (await database.ownerPool.query('select count(*) from sign_in_tickets where user_id = $1', [user.id]))
        .rows[0].count,
    )
  expect(await count()).toBeGreaterThanOrEqual(5)
  expect((await reset(first)).status).toBe(200)
  expect(await count()).toBe(0)
})

test('a sign-in from a browser that the account does not know is reported by mail and in the console', async () => {
  const user = await given.user({ password })
  const first = await logIn(user.email, password)
  const text = await mailTo(user.email, 'New sign-in')
  expect(text).toContain('127.0.0.1')
  const { body } = await ask('GET', '/api/notifications', { token: first.body.token })
  expect(body.notifications).toMatchObject([{ kind: 'account', title: 'New sign-in to your account' }])
  const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
  const known = await ask('POST', '/api/auth/login', {
    body: { email: user.email, password },
    headers: { cookie },
  })
  expect(known.status).toBe(200)
  const later = await ask('GET', '/api/notifications', { token: known.body.token })
  expect(later.body.notifications).toHaveLength(1)
})
