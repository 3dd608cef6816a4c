import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'

const app = await testApp({ signup: 'invite' })

test('a server that takes accounts by invitation refuses sign-up, and log-in works', async () => {
  const user = await app.given.user({ password: 'difference-1!' })
  const body = {
    name: 'Ada',
    email: 'ada@example.com',
    password: 'difference-1!',
    organizationName: 'Engines',
  }
  const reply = await app.ask('POST', '/api/auth/signup', { body })
  expect(reply.status).toBe(403)
  expect(reply.body.code).toBe('signup_closed')
  const login = await app.ask('POST', '/api/auth/login', {
    body: { email: user.email, password: 'difference-1!' },
  })
  expect(login.status).toBe(200)
})
