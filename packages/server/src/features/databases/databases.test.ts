import pg from 'pg'
import { expect, test, vi } from 'vitest'

import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'

const app = await testApp()
const { given } = app

const asked = (user: GivenUser) => async (method: string, path: string, body?: object) => {
  const { token, organizationId } = user
  return app.ask(method, path, { token, organizationId, ...(body && { body }) })
}

/** The database once it has this status. */
const settled = (ask: ReturnType<typeof asked>, id: string, status: string) =>
  vi.waitFor(
    async () => {
      const { body } = await ask('GET', `/api/databases/${id}`)
      expect([body.status, body.reason]).toEqual([status, body.reason])
      return body
    },
    { timeout: 60_000, interval: 50 },
  )

async function passwordOf(ask: ReturnType<typeof asked>, secretId: string): Promise<string> {
  const { body, text } = await ask('POST', `/api/secrets/${secretId}/reveal`, { reason: 'Test' })
  expect(body.value, text).toBeTypeOf('string')
  return body.value
}

async function query(
  endpoint: { host: string; port: number; database: string; username: string },
  password: string,
  text: string,
) {
  const { host, port, database, username: user } = endpoint
  const client = new pg.Client({ host, port, database, user, password })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('a database is created on this machine, takes queries, sleeps with its rows and is deleted', async () => {
  const user = await given.user({ role: 'MEMBER', name: 'Grace' })
  const ask = asked(user)
  const made = await ask('POST', '/api/databases', { provider: 'embedded', name: 'orders-eu' })
  expect(made.status, made.text).toBe(201)
  const { id } = made.body
  const ready = await settled(ask, id, 'available')
  expect(ready).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+$/), health: { state: 'healthy' } })
  expect(ready.credential.name).toBe('databases/orders-eu')
  const password = await passwordOf(ask, ready.credential.id)
  expect(await query(ready.endpoint, password, 'select current_user as name')).toEqual([
    { name: 'orders_eu' },
  ])

  await query(ready.endpoint, password, 'create table kept as select 42 as answer')
  expect((await ask('POST', `/api/databases/${id}/hibernate`)).status).toBe(202)
  await settled(ask, id, 'hibernated')
  await expect(query(ready.endpoint, password, 'select 1')).rejects.toThrow()
  expect((await ask('POST', `/api/databases/${id}/restart`)).body.detail).toContain('hibernated')
  expect((await ask('POST', `/api/databases/${id}/resume`)).status).toBe(202)
  const resumed = await settled(ask, id, 'available')
  expect(await query(resumed.endpoint, password, 'select answer from kept')).toEqual([{ answer: 42 }])

  expect((await ask('POST', `/api/databases/${id}/restart`)).status).toBe(202)
  await settled(ask, id, 'available')
  expect(await query(resumed.endpoint, password, 'select answer from kept')).toEqual([{ answer: 42 }])

  await ask('PATCH', `/api/databases/${id}`, { isProtected: true })
  expect((await ask('DELETE', `/api/databases/${id}`)).body.detail).toContain('protected')
  await ask('PATCH', `/api/databases/${id}`, { isProtected: false })
  expect((await ask('DELETE', `/api/databases/${id}`)).status).toBe(202)
  await vi.waitFor(async () => expect((await ask('GET', `/api/databases/${id}`)).status).toBe(404), {
    timeout: 30_000,
    interval: 50,
  })
  await expect(query(resumed.endpoint, password, 'select 1')).rejects.toThrow()
  const { body: secret } = await ask('GET', `/api/secrets/${ready.credential.id}`)
  expect(secret.status).toBe('pending_deletion')
}, 120_000)
