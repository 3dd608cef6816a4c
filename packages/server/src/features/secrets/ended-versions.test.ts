import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'

const { ask, given } = await testApp()

test('a deleted version can be undeleted to be read, and of a destroyed one another is to be chosen', async () => {
  const { token, organizationId } = await given.user()
  const as = { token, organizationId }
  const { body: secret } = await ask('POST', '/api/secrets', { ...as, body: { name: 's', value: 'first' } })
  const path = `/api/secrets/${secret.id}`
  await ask('PUT', path, { ...as, body: { value: 'second' } })
  const reveal = async () => {
    const reply = await ask('POST', `${path}/reveal`, { ...as, body: { reason: 'A test looks', version: 1 } })
    expect([reply.status, reply.body.code]).toEqual([409, 'conflict'])
    return reply.body.detail as string
  }
  expect((await ask('DELETE', `${path}/versions/1`, as)).status).toBeLessThan(300)
  expect(await reveal()).toBe('Version 1 is deleted. Undelete it first, or choose another.')
  const destroyed = await ask('POST', `${path}/versions/1/destroy`, { ...as, body: { reason: 'It leaked' } })
  expect(destroyed.status, destroyed.text).toBeLessThan(300)
  expect(await reveal()).toBe('Version 1 was destroyed. Choose another.')
})
