import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'

const { ask, given } = await testApp()

test('a name with a character that nobody sees is refused wherever a name is given, and so is one that is too long', async () => {
  const { token } = await given.user()
  const account = { email: 'unseen@example.com', password: 'difference-1!' }
  const endpoints = [
    ['POST', '/api/organizations', 'name', (name: string) => ({ name })],
    ['PATCH', '/api/auth/me', 'name', (name: string) => ({ name })],
    ['POST', '/api/auth/signup', 'name', (name: string) => ({ ...account, name, organizationName: 'o' })],
    [
      'POST',
      '/api/auth/signup',
      'organizationName',
      (organizationName: string) => ({ ...account, name: 'n', organizationName }),
    ],
  ] as const
  for (const [method, path, field, bodyOf] of endpoints) {
    for (const [name, part] of [
      ['Ada\u202Ecod.exe', 'U+202E'],
      ['Ad\u200Ba', 'U+200B'],
      ['Ada\u0007', 'U+0007'],
      ['x'.repeat(101), '101'],
    ] as const) {
      const reply = await ask(method, path, { token, body: bodyOf(name) })
      expect([path, reply.status, reply.body.errors]).toEqual([
        path,
        400,
        [{ path: field, message: expect.stringContaining(part) }],
      ])
    }
  }
  const longest = 'x'.repeat(100)
  expect((await ask('PATCH', '/api/auth/me', { token, body: { name: longest } })).body.name).toBe(longest)
})
