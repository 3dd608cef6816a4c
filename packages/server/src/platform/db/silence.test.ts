import { afterAll, expect, test } from 'vitest'
import { testDatabaseUrl } from '../../testing/database.ts'
import { silenceableConnection } from '../../testing/silenceable-connection.ts'
import { createLog } from '../log.ts'
import { openDatabase } from './database.ts'

const connection = await silenceableConnection(await testDatabaseUrl())
const database = await openDatabase(
  { url: connection.url, dataDir: '/nowhere' },
  createLog({ level: 'fatal' }),
)
afterAll(() => database.close())

test('connections that fell silent are given up once the database answers on another', async () => {
  const ask = {
    request: () => database.readTenant(1, (db) => db.execute('select 1 as one')),
    change: () => database.withTenant(1, (db) => db.execute('select 1 as one')),
    system: () => database.asSystem('test', (db) => db.execute('select 1 as one')),
    token: () => database.pool.query('select 1 as one'),
  }
  const all = () => Promise.allSettled(Object.values(ask).map((each) => each()))
  expect((await all()).map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
  connection.fallSilent()
  const lost = await all()
  expect(lost.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
  expect(lost[0]).toMatchObject({ reason: { code: 'unavailable' } })
  expect(lost[1]).toMatchObject({ reason: { code: 'unavailable' } })
  expect(lost[2]).toMatchObject({ reason: { code: 'unavailable' } })
  expect((await all()).map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
})
