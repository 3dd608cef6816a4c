import { expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi, query } from '../testing/database-api.ts'

const app = await testApp()
const user = await app.given.user({ role: 'MEMBER' })
const { ask, embedded, passwordOf, until } = databaseApi(app, user)

test('what was committed up to a second before a hibernation is in the store when it is over, and can be restored', async () => {
  const orders = await embedded('orders')
  const path = `/api/databases/${orders.id}`
  const { body: backup } = await ask('POST', `${path}/backups`)
  await vi.waitFor(
    async () =>
      expect((await ask('GET', `${path}/backups/${backup.id}`)).body).toMatchObject({ status: 'completed' }),
    { timeout: 60_000, interval: 100 },
  )
  await query(orders.endpoint, orders.password, 'create table last as select 7 as answer')
  // The last second is not offered: the clock of files is a little behind that of transactions.
  await query(orders.endpoint, orders.password, 'select pg_sleep(1.5)')
  expect((await ask('POST', `${path}/hibernate`)).status).toBe(202)
  await until(orders.id, { status: 'hibernated' })
  const { body: window } = await ask('GET', `${path}/window`)
  expect(window).toMatchObject({ gaps: [], archive: { spooledBytes: 0 } })
  const copy = await ask('POST', `${path}/restore`, { name: 'orders-copy' })
  expect(copy.status, copy.text).toBe(202)
  const restored = await until(copy.body.newDatabase.id, { status: 'available' })
  expect(
    await query(restored.endpoint, await passwordOf(restored.credential.id), 'select answer from last'),
  ).toEqual([{ answer: 7 }])
}, 180_000)
