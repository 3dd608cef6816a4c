import { expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi, query } from '../testing/database-api.ts'

const app = await testApp()
const { given } = app
const user = await given.user({ role: 'MEMBER' })
const { ask, embedded, until } = databaseApi(app, user)
const orders = await embedded('orders')
const path = `/api/databases/${orders.id}`
const inOrders = (sql: string) => query(orders.endpoint, orders.password, sql)

await inOrders('create table rows as select generate_series(1, 1000) n')
const started = await ask('POST', `${path}/backups`)
await vi.waitFor(
  async () => {
    const { body } = await ask('GET', `${path}/backups/${started.body.id}`)
    expect(body).toMatchObject({ status: 'completed' })
  },
  { timeout: 60_000, interval: 100 },
)
const [moment] = await inOrders('select clock_timestamp() as at')
const targetTime = new Date(moment?.['at'] as Date).toISOString()
await inOrders('drop table rows; create table after_drop as select 1 as n')

const swapOf = (id: string, status: string) =>
  vi.waitFor(
    async () => {
      const { body } = await ask('GET', `/api/databases/${id}/swap`)
      expect(body.swap).toMatchObject({ status, failure: null })
      expect((await ask('GET', `/api/databases/${body.swap.databaseId}`)).body.status).toBe('available')
      return body.swap
    },
    { timeout: 60_000, interval: 100 },
  )

test('a copy takes the place of its database, whose connection strings lead to the rows that are back; undone, they lead to the old one', async () => {
  const other = await ask('POST', `${path}/swap`, { withDatabaseId: orders.id })
  expect(other.body.detail).toContain('its own place')
  const reply = await ask('POST', `${path}/restore`, { name: 'orders-copy', targetTime })
  const copyId = reply.body.newDatabase.id
  await until(copyId, { status: 'available' })
  // A backup of its own may be under way, which a swap waits for.
  const begun = await vi.waitFor(
    async () => {
      const begunSwap = await ask('POST', `${path}/swap`, { withDatabaseId: copyId })
      expect(begunSwap.status, begunSwap.text).toBe(202)
      return begunSwap.body
    },
    { timeout: 60_000, interval: 300 },
  )
  expect(begun).toMatchObject({ databaseId: copyId, oldDatabase: { id: orders.id } })
  const swap = await swapOf(copyId, 'completed')
  expect(Date.parse(swap.undoUntil) - Date.parse(swap.completedAt)).toBe(24 * 3_600_000)

  // The old connection string, unchanged.
  expect(await inOrders('select count(*)::int as n from rows')).toEqual([{ n: 1000 }])
  await inOrders('insert into rows values (0)')
  expect((await ask('GET', `/api/databases/${copyId}`)).body).toMatchObject({
    name: 'orders',
    endpoint: orders.endpoint,
    credential: orders.credential,
  })
  const old = await until(orders.id, { status: 'available', name: swap.oldDatabase.name })
  expect(old.name).toMatch(/^orders-before-\d{4}$/)
  const inOld = (sql: string) => query(old.endpoint, orders.password, sql)
  expect(await inOld('select n from after_drop')).toEqual([{ n: 1 }])
  await expect(inOld('set transaction_read_only = off; insert into after_drop values (2)')).rejects.toThrow(
    /read-only|during recovery/,
  )
  const refused = await ask('POST', `/api/databases/${orders.id}/backups`)
  expect(refused.body.detail).toContain('kept read only')

  const undo = await vi.waitFor(
    async () => {
      const undone = await ask('POST', `/api/databases/${orders.id}/undo-swap`)
      expect(undone.status, undone.text).toBe(202)
      return undone.body
    },
    { timeout: 60_000, interval: 300 },
  )
  expect(undo.status).toBe('undoing')
  await swapOf(orders.id, 'undone')
  await until(orders.id, { status: 'available', name: 'orders', endpoint: orders.endpoint })
  expect(await inOrders('select n from after_drop')).toEqual([{ n: 1 }])
  await inOrders('insert into after_drop values (2)')
  await until(copyId, { status: 'available', name: 'orders-copy' })
  expect((await ask('POST', `${path}/undo-swap`)).body.detail).toContain('no swap to undo')
}, 180_000)
