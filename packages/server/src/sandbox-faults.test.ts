import { randomBytes } from 'node:crypto'

import { expect, test, vi } from 'vitest'

import { testApp } from './testing/app.ts'
import { testDatabaseUrl } from './testing/database.ts'
import { startMain } from './testing/main-child.ts'

const databaseUrl = await testDatabaseUrl()
const secretKey = randomBytes(32)
const web = await testApp({ role: 'web', databaseUrl, secretKey })

test('breaking a sandbox while no worker runs is an unreachable cluster and no fault of the server', async () => {
  const { token, organizationId } = await web.given.user()
  const ask = (method: string, path: string, body?: object) =>
    web.ask(method, path, { token, organizationId, ...(body && { body }) })
  const worker = await startMain({
    BEY_ROLE: 'worker',
    DATABASE_URL: databaseUrl,
    BEY_SECRET_KEY: secretKey.toString('base64'),
  })
  const created = await ask('POST', '/api/kubernetes/clusters', { title: 'alone', provider: 'sandbox' })
  const path = `/api/kubernetes/clusters/${created.body.id}`
  await ask('POST', `${path}/provision`)
  await vi.waitFor(async () => expect((await ask('GET', path)).body.status).toBe('RUNNING'), {
    timeout: 120_000,
    interval: 200,
  })
  expect((await ask('GET', `${path}/faults`)).status).toBe(200)
  expect(await worker.stop()).toBe(0)
  for (const [method, at] of [
    ['GET', `${path}/faults`],
    ['PUT', `${path}/faults/crash-loop`],
    ['DELETE', `${path}/faults/crash-loop`],
  ] as const) {
    const refused = await ask(method, at)
    expect([method, refused.status, refused.body.code, refused.body.detail]).toEqual([
      method,
      502,
      'cluster_unreachable',
      expect.stringContaining('alone'),
    ])
  }
}, 200_000)
