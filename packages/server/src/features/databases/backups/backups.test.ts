import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi, query } from '../testing/database-api.ts'

const app = await testApp()
const { given } = app
const user = await given.user({ role: 'MEMBER' })
const { ask, embedded, lookNow } = databaseApi(app, user)
const orders = await embedded('orders')
const path = `/api/databases/${orders.id}`

async function backedUp(status = 'completed') {
  const started = await ask('POST', `${path}/backups`)
  expect(started.status, started.text).toBe(202)
  return vi.waitFor(
    async () => {
      const { body } = await ask('GET', `${path}/backups/${started.body.id}`)
      expect(body).toMatchObject({ status })
      return body
    },
    { timeout: 60_000, interval: 100 },
  )
}

test('a backup is completed with its WAL in the store, and opens the window', async () => {
  expect((await ask('GET', `${path}/window`)).body).toMatchObject({ ranges: [], gaps: [] })
  await query(orders.endpoint, orders.password, 'create table rows as select generate_series(1, 1000) n')
  const backup = await backedUp()
  expect(backup).toMatchObject({
    kind: 'full',
    trigger: 'manual',
    failure: null,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    startLsn: expect.stringMatching(/^0\//),
    timeline: 1,
    version: orders.version,
    run: expect.anything(),
  })
  expect(backup.storedBytes).toBeLessThan(backup.sizeBytes)
  expect(Date.parse(backup.expiresAt) - Date.parse(backup.finishedAt)).toBe(7 * 86_400_000)
  const { body: window } = await ask('GET', `${path}/window`)
  expect(window.ranges).toEqual([{ from: backup.consistentAt, to: expect.any(String) }])
  expect(window.archive).toMatchObject({ isOn: true, problem: null, lastSegment: expect.any(String) })

  // Two at once are refused, each with its sentence; what follows is allowed again.
  const [one, other] = [await ask('POST', `${path}/backups`), await ask('POST', `${path}/backups`)]
  expect(one.status).toBe(202)
  expect(other).toMatchObject({ status: 409, body: { detail: expect.stringContaining('already') } })
  await vi.waitFor(
    async () => expect((await ask('GET', `${path}/backups/${one.body.id}`)).body.status).toBe('completed'),
    { timeout: 60_000, interval: 100 },
  )
}, 120_000)

test('while nothing is committed the window grows nevertheless, and a commit is covered once it is archived', async () => {
  const until = async () => Date.parse((await ask('GET', `${path}/window`)).body.ranges.at(-1).to)
  const before = await until()
  await vi.waitFor(
    async () => {
      await lookNow()
      expect(await until()).toBeGreaterThan(before)
    },
    { timeout: 60_000, interval: 300 },
  )
}, 90_000)

test('a locked backup is kept, an unlocked one is deleted with its files', async () => {
  const { body } = await ask('GET', `${path}/backups`)
  const [newest] = body.backups
  const of = `${path}/backups/${newest.id}`
  expect((await ask('POST', `${of}/lock`)).body).toMatchObject({ isLocked: true, expiresAt: null })
  expect(await ask('DELETE', of)).toMatchObject({
    status: 409,
    body: { detail: 'The backup was left alone: It is locked. Unlock it first.' },
  })
  await ask('POST', `${of}/unlock`)
  expect((await ask('DELETE', of)).body).toMatchObject({ status: 'deleted' })
  expect((await ask('GET', of)).body).toMatchObject({ status: 'deleted', place: null })
  const { body: after } = await ask('GET', `${path}/backups`)
  expect(after.total).toBe(body.total - 1)
  const base = join(newest.place, 'databases', String(user.organizationId), orders.id, 'base')
  expect(await readdir(base)).toHaveLength(1)
  expect((await stat(base)).mode & 0o077).toBe(0)
})

test('a policy is changed once for each version that was read', async () => {
  const { body: policy } = await ask('GET', `${path}/backup-policy`)
  expect(policy).toMatchObject({
    version: 0,
    recoveryTimeMinutes: null,
    retentionDays: 7,
    pitr: true,
    schedule: null,
  })
  const { version: _, updatedAt: __, ...rest } = policy
  const { nextBackupAt: _n, nextDrillAt: _d, backupNote: _b, drillNote: _dn, ...fields } = rest
  const change = (values: object) => ask('PUT', `${path}/backup-policy`, { ...fields, ...values })
  expect((await change({ retentionDays: 14, expectedVersion: 0 })).body).toMatchObject({ version: 1 })
  expect((await change({ retentionDays: 30, expectedVersion: 0 })).status).toBe(409)
  expect((await change({ schedule: 'every day' })).body.detail).toContain('five fields')
  expect((await change({ schedule: '0 0 31 2 *' })).body.detail).toContain('never comes')
  expect((await ask('GET', `${path}/backup-policy`)).body).toMatchObject({ version: 1, retentionDays: 14 })
})

test('an external database is not backed up, with the reason', async () => {
  const uri = `postgresql://app@127.0.0.1:1/app?sslmode=disable`
  const made = await ask('POST', '/api/databases', {
    provider: 'external',
    name: 'elsewhere',
    connection: { uri },
  })
  const refused = await ask('POST', `/api/databases/${made.body.id}/backups`)
  expect(refused.status).toBe(409)
  expect(refused.body.detail).toContain('Its server is not run by Bey, which cannot copy its files.')
})
