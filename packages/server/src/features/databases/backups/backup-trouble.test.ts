import { rename, rm, writeFile } from 'node:fs/promises'

import { expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi } from '../testing/database-api.ts'

const app = await testApp()
const user = await app.given.user({ role: 'ADMIN' })
const { ask, embedded, lookNow } = databaseApi(app, user)
const orders = await embedded('orders')
const path = `/api/databases/${orders.id}`
const policy = {
  schedule: null,
  retentionDays: 7,
  pitr: true,
  targetId: null,
  drillSchedule: null,
  checks: [],
}

/** The health once it is of this reason; null: once it is good. */
const healthOf = (reason: string | null) =>
  vi.waitFor(
    async () => {
      await lookNow()
      const { health } = (await ask('GET', path)).body
      expect(health.reason).toBe(reason)
      return health
    },
    { timeout: 60_000, interval: 200 },
  )

const titles = async () => {
  const { body } = await ask('GET', '/api/notifications')
  return body.notifications.map(({ title }: { title: string }) => title)
}

async function ended(kind: 'backups' | 'restores', id: string) {
  await vi.waitFor(
    async () => {
      const rows = (await ask('GET', `${path}/${kind}`)).body[kind]
      expect(rows.find((each: { id: string }) => each.id === id).finishedAt).not.toBeNull()
    },
    { timeout: 60_000, interval: 200 },
  )
}

const backUp = async () => ended('backups', (await ask('POST', `${path}/backups`)).body.id)
const drill = async () => ended('restores', (await ask('POST', `${path}/drill`)).body.id)

test('a failed backup and a failed drill need attention and are told, until the next one passes', async () => {
  const { place } = (await ask('GET', '/api/databases/backup-targets')).body.machine
  const away = `${place}.away`
  await rename(place, away)
  // In the way of the directory.
  await writeFile(place, '')
  await backUp()
  expect(await healthOf('BackupFailed')).toMatchObject({
    state: 'degraded',
    detail: expect.stringContaining('Its last backup failed: '),
  })
  const { body: list } = await ask('GET', '/api/databases?health=degraded')
  expect(list).toMatchObject({ total: 1, summary: { attention: 1 } })
  expect(await titles()).toContain('orders could not be backed up')

  await rm(place)
  await rename(away, place)
  await backUp()
  await healthOf(null)
  expect(await titles()).toContain('orders has recovered')

  await ask('PUT', `${path}/backup-policy`, { ...policy, checks: [{ name: 'never', sql: 'select false' }] })
  await drill()
  expect((await healthOf('DrillFailed')).detail).toContain('The check "never" failed')
  expect(await titles()).toContain('orders failed its restore drill')
  await ask('PUT', `${path}/backup-policy`, policy)
  await drill()
  await healthOf(null)
}, 180_000)

test('a schedule that came twice without a backup is overdue until there is one', async () => {
  await ask('PUT', `${path}/backup-policy`, { ...policy, schedule: '0 3 * * *' })
  await app.database.ownerPool.query(
    `update database_backup_policies set updated_at = now() - interval '4 days' where database_id = $1`,
    [orders.id],
  )
  await app.database.ownerPool.query(
    `update database_backups set finished_at = finished_at - interval '3 days' where database_id = $1`,
    [orders.id],
  )
  expect((await healthOf('BackupOverdue')).detail).toMatch(
    /^It was due to be backed up [23] times since .* UTC, and was not\.$/,
  )
  expect(await titles()).toContain('orders was not backed up as scheduled')
  await backUp()
  await healthOf(null)
}, 120_000)
