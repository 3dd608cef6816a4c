import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { startEmbedded } from './platform/db/embedded/supervisor.ts'
import { createLog } from './platform/log.ts'
import { testApp } from './testing/app.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'bey-outage-'))
const start = () => startEmbedded({ dataDir, isDurable: false }, createLog({ level: 'fatal' }))
let server = await start()
afterAll(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})
const app = await testApp({ databaseUrl: server.url })
const { ask, given } = app

test('while the database is down everything that needs it says so at once, and it is used again when it is back', async () => {
  const user = await given.user({ password: 'difference-1!' })
  const login = { body: { email: user.email, password: 'difference-1!' } }
  await server.stop()
  await vi.waitFor(async () => expect((await ask('GET', '/health')).status).toBe(503), { timeout: 60_000 })
  expect((await ask('GET', '/health')).body).toEqual({
    status: 'unavailable',
    database: 'down',
    reason: 'The database does not answer.',
  })

  const startedAt = performance.now()
  const replies = await Promise.all([
    ask('GET', '/api/auth/me', { token: user.token }),
    ask('GET', '/api/kubernetes/clusters', { token: user.token }),
    ask('GET', '/api/auth/me', { token: 'unknown' }),
    ask('POST', '/api/auth/login', login),
    ask('POST', '/api/organizations', {
      token: user.token,
      body: { name: 'Lost' },
      headers: { 'idempotency-key': 'k' },
    }),
  ])
  // One that waited for a connection would be given up after five seconds.
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  for (const reply of replies) {
    expect([reply.status, reply.body.code, reply.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '2',
    ])
  }
  // What needs no database goes on.
  expect((await ask('GET', '/version.json')).status).toBe(200)

  server = await start()
  await vi.waitFor(async () => expect((await ask('GET', '/health')).status).toBe(200), {
    timeout: 60_000,
    interval: 50,
  })
  expect((await ask('GET', '/api/auth/me', { token: user.token })).status).toBe(200)
  expect((await ask('POST', '/api/auth/login', login)).status).toBe(200)
  const created = await ask('POST', '/api/organizations', {
    token: user.token,
    body: { name: 'Found' },
    headers: { 'idempotency-key': 'k' },
  })
  expect(created.status).toBe(201)
})
