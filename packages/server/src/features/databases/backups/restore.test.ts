import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi, query } from '../testing/database-api.ts'

const app = await testApp()
const { given } = app
const user = await given.user({ role: 'MEMBER' })
const { ask, embedded, until, passwordOf, lookNow } = databaseApi(app, user)
const orders = await embedded('orders')
const path = `/api/databases/${orders.id}`
const inOrders = (sql: string) => query(orders.endpoint, orders.password, sql)

await inOrders('create table rows as select generate_series(1, 1000) n')
const started = await ask('POST', `${path}/backups`)
const backup = await vi.waitFor(
  async () => {
    const { body } = await ask('GET', `${path}/backups/${started.body.id}`)
    expect(body).toMatchObject({ status: 'completed' })
    return body
  },
  { timeout: 60_000, interval: 100 },
)
await inOrders('create table later as select generate_series(1, 7) n')
const [moment] = await inOrders('select clock_timestamp() as at')
const beforeDrop = new Date(moment?.['at'] as Date).toISOString()
await inOrders('drop table rows')

async function restored(body: object, expected: object) {
  const reply = await ask('POST', `${path}/restore`, body)
  expect(reply.status, reply.text).toBe(202)
  const { id } = reply.body.newDatabase
  const copy = await until(id, expected)
  const { body: list } = await ask('GET', `${path}/restores`)
  return { copy, restore: list.restores.find((each: { id: string }) => each.id === reply.body.id) }
}

test('rows are back as they were at the moment before, in a database with a password of its own', async () => {
  await ask('PUT', `${path}/backup-policy`, {
    schedule: null,
    retentionDays: 7,
    targetId: null,
    pitr: true,
    drillSchedule: null,
    checks: [
      { name: 'rows are there', sql: 'select count(*) = 1000 from rows' },
      { name: 'none is lost', sql: 'select 1 from later where n > 7' },
      { name: 'no programs', sql: "copy (select 1) to program 'touch /tmp/bey-check'" },
      { name: 'no changes', sql: 'create table made as select 1 as n' },
    ],
  })
  const wanted = { name: 'orders-copy', targetTime: beforeDrop }
  const { copy, restore } = await restored(wanted, { status: 'available' })
  const password = await passwordOf(copy.credential.id)
  expect(password).not.toBe(orders.password)
  const inCopy = (sql: string) => query(copy.endpoint, password, sql)
  expect(await inCopy('select count(*)::int as n from rows')).toEqual([{ n: 1000 }])
  expect(await inCopy('select count(*)::int as n from later')).toEqual([{ n: 7 }])
  await expect(query(copy.endpoint, orders.password, 'select 1')).rejects.toThrow('password')
  expect(restore).toMatchObject({
    status: 'completed',
    backupId: backup.id,
    targetTime: beforeDrop,
    checks: [
      { name: 'rows are there', outcome: 'passed', detail: 'It answered true.' },
      { name: 'none is lost', outcome: 'failed', detail: 'It answered no row.' },
      { name: 'no programs', outcome: 'failed', detail: expect.stringContaining('permission denied') },
      { name: 'no changes', outcome: 'failed', detail: expect.stringContaining('read-only') },
    ],
  })
  expect(Date.parse(restore.reachedAt)).toBeLessThanOrEqual(Date.parse(beforeDrop))
  expect(restore.durations.totalMs).toBeGreaterThan(0)
  expect(copy.restoredFrom).toEqual({ id: orders.id, name: 'orders', at: beforeDrop })
  // Its source is as it was.
  await expect(inOrders('select 1 from rows')).rejects.toThrow('does not exist')
  // It gets a backup of its own without being asked.
  await vi.waitFor(
    async () => {
      await lookNow()
      const { body } = await ask('GET', `/api/databases/${copy.id}/backups`)
      expect(body.backups).toMatchObject([{ trigger: 'after_restore', status: 'completed' }])
    },
    { timeout: 60_000, interval: 500 },
  )
}, 120_000)

test('without a moment everything comes back that was committed until the request', async () => {
  await inOrders('create table newest as select 1 as n')
  const { copy } = await restored({ name: 'orders-latest' }, { status: 'available' })
  const password = await passwordOf(copy.credential.id)
  expect(await query(copy.endpoint, password, 'select n from newest')).toEqual([{ n: 1 }])
  await ask('DELETE', `/api/databases/${copy.id}`)
}, 120_000)

test('a moment outside of the window is refused with the window, and so is a name that is taken', async () => {
  const refused = (body: object) => ask('POST', `${path}/restore`, { name: 'orders-x', ...body })
  const early = await refused({ targetTime: '2020-01-01T00:00:00Z' })
  expect(early.status).toBe(409)
  expect(early.body.detail).toContain(`Choose a moment from ${backup.consistentAt} to `)
  expect((await refused({ targetTime: '2999-01-01T00:00:00Z' })).body.detail).toContain('in the future')
  expect((await refused({ backupId: orders.id })).body.detail).toContain('There is no such backup')
  expect((await refused({ targetTime: beforeDrop, backupId: backup.id })).status).toBe(400)
  expect((await refused({ name: 'orders' })).status).toBe(409)
})

test('a backup that was changed in the store makes no database, and the cause is said', async () => {
  const base = join(backup.place, 'databases', String(user.organizationId), orders.id, 'base')
  const [file = ''] = await readdir(base)
  const bytes = await readFile(join(base, file))
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  await writeFile(join(base, file), bytes)
  const { copy, restore } = await restored(
    { name: 'orders-broken', backupId: backup.id },
    { status: 'error' },
  )
  expect(copy.reason).toContain('is not what was stored there')
  expect(restore).toMatchObject({ status: 'failed', failure: expect.stringContaining('not what was stored') })
  bytes[at] = (bytes[at] ?? 0) ^ 1
  await writeFile(join(base, file), bytes)
  // Mended, it is restored by the same database; a creation would make it empty.
  expect((await ask('POST', `/api/databases/${copy.id}/provision`)).status).toBe(202)
  const again = await until(copy.id, { status: 'available' })
  const password = await passwordOf(again.credential.id)
  expect(await query(again.endpoint, password, 'select count(*)::int as n from rows')).toEqual([{ n: 1000 }])
  await rm(join(base, file))
  const gone = await restored({ name: 'orders-gone', backupId: backup.id }, { status: 'error' })
  expect(gone.restore.failure).toContain('backup')
}, 120_000)
