import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

import { afterAll, expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi } from '../testing/database-api.ts'

const app = await testApp()
const { ask, until } = databaseApi(app, await app.given.user({ role: 'ADMIN' }))

// An object store that accepts connections and never answers.
const sockets = new Set<Socket>()
const silent = createServer((socket) => sockets.add(socket.on('error', () => undefined)))
silent.listen(0, '127.0.0.1')
await once(silent, 'listening')
afterAll(() => {
  for (const socket of sockets) socket.destroy()
  silent.close()
})
const address = silent.address()
const port = typeof address === 'object' ? address?.port : undefined

test('a database that is backed up for the first time is not hibernated, restarted or resized until its creation ends', async () => {
  const target = await ask('POST', '/api/databases/backup-targets', {
    name: 'Silent',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-central-1',
    bucket: 'backups',
    accessKeyId: 'AKIA1',
    secretAccessKey: 'secret',
  })
  expect(target.status, target.text).toBe(201)
  const made = await ask('POST', '/api/databases', {
    provider: 'embedded',
    name: 'orders',
    backups: {
      schedule: '0 2 * * *',
      retentionDays: 7,
      targetId: target.body.id,
      pitr: true,
      drillSchedule: null,
      checks: [],
    },
  })
  expect(made.status, made.text).toBe(201)
  const { id, lastRun } = made.body
  await until(id, { status: 'available' })
  const path = `/api/databases/${id}`
  const words = expect.stringContaining('"orders" was left alone: it is backed up for the first time')
  for (const [to, body] of [
    ['hibernate', undefined],
    ['restart', undefined],
    ['changes', { plan: 'medium' }],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const refused = await ask('POST', `${path}/${to}`, body)
    expect([refused.status, refused.body.detail], to).toEqual([409, words])
  }
  expect((await ask('GET', path)).body).toMatchObject({ status: 'available' })

  // The way out that the sentence names.
  const run = `/api/v1/workflows/${lastRun.workflowId}/runs/${lastRun.runId}`
  const cancelled = await ask('POST', `${run}/cancel`)
  expect(cancelled.status, cancelled.text).toBeLessThan(300)
  await vi.waitFor(
    async () => expect((await ask('GET', run)).body.run).toMatchObject({ status: 'cancelled' }),
    { timeout: 60_000, interval: 100 },
  )
  expect((await ask('GET', path)).body).toMatchObject({ status: 'available' })
  expect((await ask('POST', `${path}/hibernate`)).status).toBe(202)
  await until(id, { status: 'hibernated' })
}, 180_000)
