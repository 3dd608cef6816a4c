import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'

const { ask } = await testApp({ developerEmail: 'dev@example.com' })

const signUp = (email: string) =>
  ask('POST', '/api/auth/signup', {
    body: { name: 'Ada', email, password: 'difference-1!', organizationName: 'Engines' },
  })

test('the developer account alone learns that it is the developer’s, however its address is spelled', async () => {
  const developer = await signUp('DEV@example.com')
  expect(developer.body.user.isDeveloper).toBe(true)
  const { token } = developer.body
  expect((await ask('GET', '/api/auth/me', { token })).body.isDeveloper).toBe(true)
  const organizationId = developer.body.user.activeOrganizationId
  const renamed = await ask('PATCH', '/api/auth/me', { token, body: { name: 'Dana' } })
  expect(renamed.body.isDeveloper).toBe(true)
  const activated = await ask('POST', `/api/organizations/${organizationId}/activate`, { token })
  expect(activated.body.isDeveloper).toBe(true)
})

test('nobody else learns that there is a developer, let alone the address', async () => {
  for (const email of ['ada@example.com', 'dev@example.com.evil.example', 'xdev@example.com']) {
    const reply = await signUp(email)
    expect(reply.status).toBe(201)
    const me = await ask('GET', '/api/auth/me', { token: reply.body.token })
    for (const text of [reply.text, me.text]) expect(text).not.toContain('isDeveloper')
    expect(me.text.replaceAll(email, '')).not.toContain('dev@example.com')
  }
})

test('being the developer grants nothing: another organization stays out of sight', async () => {
  const other = (await signUp('owner@example.com')).body.user.activeOrganizationId
  const { token } = (
    await ask('POST', '/api/auth/login', { body: { email: 'dev@example.com', password: 'difference-1!' } })
  ).body
  for (const path of ['/api/workflows/debug/engine-status', '/api/kubernetes/clusters']) {
    expect((await ask('GET', path, { token, organizationId: other })).status).toBe(404)
  }
})
