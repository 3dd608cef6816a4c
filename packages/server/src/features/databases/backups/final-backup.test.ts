import { rename, writeFile } from 'node:fs/promises'

import { expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi, query } from '../testing/database-api.ts'

const app = await testApp()
const user = await app.given.user({ role: 'ADMIN' })
const { ask, embedded, passwordOf, until } = databaseApi(app, user)

const rowOf = async (id: string) => {
  const { rows } = await app.database.ownerPool.query<{ status: string; reason: string | null }>(
    'select status, reason from databases where id = $1',
    [id],
  )
  return rows[0]
}
const gone = (id: string) =>
  vi.waitFor(async () => expect(await rowOf(id)).toMatchObject({ status: 'deleted' }), {
    timeout: 60_000,
    interval: 100,
  })
const deletedOnes = async () => (await ask('GET', '/api/databases/deleted-backups')).body

test('a database that is backed up one last time can be restored from the list of deleted ones', async () => {
  const orders = await embedded('orders')
  await query(orders.endpoint, orders.password, 'create table parts as select 42 as answer')
  expect((await ask('GET', `/api/databases/${orders.id}/references`)).body.finalBackup).toEqual({
    refusal: null,
    isDefault: false,
    target: null,
    retentionDays: 7,
  })
  const begun = await ask('DELETE', `/api/databases/${orders.id}?finalBackup=true`)
  expect(begun.status, begun.text).toBe(202)
  await gone(orders.id)
  const { databases, total } = await deletedOnes()
  expect({ databases, total }).toMatchObject({
    total: 1,
    databases: [{ id: orders.id, name: 'orders', backups: 1, restorableUntil: expect.any(String) }],
  })
  const keptMs = Date.parse(databases[0].expiresAt) - Date.parse(databases[0].deletedAt)
  expect(keptMs).toBeGreaterThan(6.9 * 86_400_000)
  const copy = await ask('POST', `/api/databases/${orders.id}/restore`, { name: 'orders-back' })
  expect(copy.status, copy.text).toBe(202)
  const back = await until(copy.body.newDatabase.id, { status: 'available' })
  expect(
    await query(back.endpoint, await passwordOf(back.credential.id), 'select answer from parts'),
  ).toEqual([{ answer: 42 }])
}, 120_000)

test('a database whose final backup fails is not deleted, says why, and goes on', async () => {
  const shop = await embedded('shop')
  await query(shop.endpoint, shop.password, 'create table parts as select 42 as answer')
  const { place } = (await ask('GET', '/api/databases/backup-targets')).body.machine
  const away = `${place}.away`
  await rename(place, away)
  // In the way of the directory.
  await writeFile(place, '')
  await ask('DELETE', `/api/databases/${shop.id}?finalBackup=true`)
  const { body: hindered } = await vi.waitFor(
    async () => {
      const backups = await ask('GET', `/api/databases/${shop.id}/backups`)
      expect(backups.body.backups).toMatchObject([{ status: 'failed', trigger: 'before_delete' }])
      return backups
    },
    { timeout: 60_000, interval: 100 },
  )
  expect(hindered.backups[0].failure).toEqual(expect.any(String))
  const audit = await app.database.ownerPool.query<{ diff: { error: string } }>(
    "select diff from audit_entries where action = 'database.delete.failed'",
  )
  expect(audit.rows[0]?.diff.error).toContain('The deletion failed at "Back up one last time"')
  await until(shop.id, { status: 'available' })
  expect(await query(shop.endpoint, shop.password, 'select answer from parts')).toEqual([{ answer: 42 }])

  const { body: hibernating } = await ask('POST', `/api/databases/${shop.id}/hibernate`)
  expect(hibernating.status).toBe('queued')
  await until(shop.id, { status: 'hibernated' })
  const refused = await ask('DELETE', `/api/databases/${shop.id}?finalBackup=true`)
  expect(refused.body.detail).toContain('It is hibernated. Resume it first.')
  expect((await ask('DELETE', `/api/databases/${shop.id}`)).status).toBe(202)
  await gone(shop.id)
}, 120_000)
