import { expect, test, vi } from 'vitest'

import { testApp } from '../../testing/app.ts'
import { databaseApi } from './testing/database-api.ts'

const app = await testApp()
const admin = await app.given.user({ role: 'ADMIN' })
const { ask, lookNow } = databaseApi(app, admin)

const backups = {
  schedule: '0 2 * * *',
  retentionDays: 14,
  targetId: null,
  pitr: true,
  drillSchedule: '12 3 * * *',
  checks: [{ name: 'answers', sql: 'select 1' }],
  recoveryTimeMinutes: 10,
}
const create = (name: string, more: object, as = ask) =>
  as('POST', '/api/databases', { provider: 'embedded', name, ...more })

test('a database is created with its backups and networks, and backed up as soon as it is ready', async () => {
  const allowList = [{ cidr: '10.20.0.0/16', about: 'office' }]
  const made = await create('orders', { backups, allowList })
  expect(made.status, made.text).toBe(201)
  expect(made.body.allowList).toEqual([{ cidr: '10.20.0.0/16', about: 'office' }])
  const path = `/api/databases/${made.body.id}`
  expect((await ask('GET', `${path}/backup-policy`)).body).toMatchObject({
    ...backups,
    version: 1,
    nextBackupAt: expect.any(String),
    nextDrillAt: expect.any(String),
  })
  const backup = await vi.waitFor(
    async () => {
      await lookNow()
      const { body } = await ask('GET', `${path}/backups`)
      expect(body.backups).toMatchObject([{ trigger: 'schedule', status: 'completed' }])
      return body.backups[0]
    },
    { timeout: 90_000, interval: 300 },
  )
  expect((await ask('GET', `${path}/window`)).body.ranges).toMatchObject([{ from: backup.consistentAt }])
  // One alone: the next one is the schedule's.
  await lookNow()
  expect((await ask('GET', `${path}/backups`)).body.summary.total).toBe(1)
}, 120_000)

test.each([
  ['a schedule that never comes', { backups: { ...backups, schedule: 'now and then' } }, 400],
  ['an unknown target', { backups: { ...backups, targetId: '00000000-0000-7000-8000-000000000000' } }, 404],
  ['a network that is none', { allowList: [{ cidr: '10.20.0.0/40' }] }, 400],
])('%s makes no database', async (_, more, status) => {
  const reply = await create('nothing', more)
  expect(reply.status, reply.text).toBe(status)
  expect((await ask('GET', '/api/databases?search=nothing')).body.total).toBe(0)
})

test('backups and networks are for databases of this machine', async () => {
  const connection = { uri: 'postgres://a:b@127.0.0.1:1/c' }
  for (const more of [{ backups }, { allowList: [] }]) {
    const reply = await ask('POST', '/api/databases', {
      provider: 'external',
      name: 'there',
      connection,
      ...more,
    })
    expect(reply.status, reply.text).toBe(400)
  }
})
