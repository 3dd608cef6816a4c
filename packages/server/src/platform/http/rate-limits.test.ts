import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { rateLimits } from './rate-limits.ts'

const app = await testApp(
  {},
  { rateLimits: { ...rateLimits, credentialsPerAddress: 12, requestsPerUser: 20 } },
)
const { ask, given } = app

const logIn = (email: string, headers: Record<string, string> = {}) =>
  ask('POST', '/api/auth/login', { body: { email, password: 'wrong-1!' }, headers })

test('the product allows 10 an address, 5 an account and 600 a user', () => {
  expect(rateLimits).toEqual({ credentialsPerAddress: 10, credentialsPerAccount: 5, requestsPerUser: 600 })
})

test('one account is tried five times a minute from an address, however it is spelled, then the whole address stops', async () => {
  const statuses: number[] = []
  for (const spelled of [
    'a@example.com',
    'A@example.com',
    ' a@EXAMPLE.com',
    'a@example.com',
    'a@example.com',
  ]) {
    statuses.push((await logIn(spelled)).status)
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400])
  const sixth = await logIn('a@example.com')
  expect(sixth.status).toBe(429)
  expect(sixth.body).toMatchObject({ code: 'rate_limited' })
  expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await logIn('b@example.com')).status).toBe(400)
  // Seven of twelve are used; a header that names another address buys nothing.
  for (let n = 0; n < 5; n += 1) await logIn(`c${n}@example.com`)
  const thirteenth = await logIn('d@example.com', { 'x-forwarded-for': '203.0.113.9' })
  expect(thirteenth.status).toBe(429)
})

test('a user is answered so often a minute, with what is left in the headers, and others are not held up', async () => {
  const [ada, bob] = [await given.user(), await given.user()]
  const replies = await Promise.all(
    Array.from({ length: 21 }, () => ask('GET', '/api/auth/me', { token: ada.token })),
  )
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(20)
  const refused = replies.find((reply) => reply.status === 429)
  expect(refused?.body.code).toBe('rate_limited')
  const other = await ask('GET', '/api/auth/me', { token: bob.token })
  expect([
    other.status,
    other.headers.get('x-ratelimit-limit'),
    other.headers.get('x-ratelimit-remaining'),
  ]).toEqual([200, '20', '19'])
})
