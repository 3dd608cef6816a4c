import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { startEmbedded } from './platform/db/embedded/supervisor.ts'
import { createLog } from './platform/log.ts'
import { testApp } from './testing/app.ts'
import { freezeProcesses } from './testing/freeze-processes.ts'

// A server of its own, for it is frozen.
const dataDir = await mkdtemp(join(tmpdir(), 'bey-freeze-'))
const server = await startEmbedded({ dataDir, isDurable: false }, createLog({ level: 'fatal' }))
afterAll(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})
const app = await testApp({ databaseUrl: server.url })
const { ask, given } = app

test('a request that meets a frozen database is answered 503 within 10 s, and the server goes on once it thaws', async () => {
  const user = await given.user({ password: 'difference-1!' })
  const tenant = { token: user.token, organizationId: user.organizationId }
  const create = (key: string) =>
    ask('POST', '/api/organizations', {
      token: user.token,
      body: { name: `Frozen ${key}` },
      headers: { 'idempotency-key': key },
    })
  const requests = [
    () => ask('GET', '/api/auth/me', { token: user.token }),
    () => ask('GET', '/api/kubernetes/clusters', tenant),
    () => ask('GET', '/api/auth/me', { token: 'unknown' }),
    () => ask('POST', '/api/auth/login', { body: { email: user.email, password: 'difference-1!' } }),
    () => create('frozen'),
  ]
  await Promise.all([requests[0]?.(), requests[1]?.()])

  const thaw = await freezeProcesses(server.pid())
  try {
    // Several times as many as there are connections: most wait for one.
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => requests)
        .flat()
        .map(async (request) => {
          const startedAt = performance.now()
          const { status, body } = await request()
          const isInTime = performance.now() - startedAt < 10_000
          return { status, code: body.code, isInTime }
        }),
    )
    const refused = { status: 503, code: 'unavailable', isInTime: true }
    expect(replies).toEqual(replies.map(() => refused))
    expect((await ask('GET', '/health')).status).toBe(503)
    expect((await ask('GET', '/version.json')).status).toBe(200)
  } finally {
    thaw()
  }

  await vi.waitFor(async () => expect((await ask('GET', '/health')).status).toBe(200), { timeout: 60_000 })
  for (const request of requests.slice(0, 2)) {
    await vi.waitFor(async () => expect((await request()).status).toBe(200), { timeout: 60_000 })
  }
  expect((await create('thawed')).status).toBe(201)
}, 120_000)
