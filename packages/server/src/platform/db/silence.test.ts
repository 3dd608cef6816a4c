import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testDatabaseUrl } from '../../testing/database.ts'
import { createLog } from '../log.ts'
import { openDatabase } from './database.ts'

/** A way to the test server that can fall silent, as when the machine behind it is gone. */
async function silenceableWay(url: string) {
  const there = new URL(url)
  const joined = new Set<Socket>()
  const way = createServer((near) => {
    const far = connect(join(there.searchParams.get('host') ?? '', `.s.PGSQL.${there.port || 5432}`))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      joined.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((done) => way.listen(0, '127.0.0.1', done))
  afterAll(() => {
    for (const socket of joined) socket.destroy()
    way.close()
  })
  const here = new URL(url)
  here.searchParams.delete('host')
  here.hostname = '127.0.0.1'
  here.port = String((way.address() as AddressInfo).port)
  return {
    url: here.href,
    /** Connections that are open carry nothing any more and are not closed either; new ones work. */
    fallSilent() {
      for (const socket of joined) socket.unpipe().on('data', () => undefined)
    },
  }
}

const way = await silenceableWay(await testDatabaseUrl())
const database = await openDatabase({ url: way.url, dataDir: '/nowhere' }, createLog({ level: 'fatal' }))
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
  way.fallSilent()
  const lost = await all()
  expect(lost.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
  expect(lost[0]).toMatchObject({ reason: { code: 'unavailable' } })
  expect(lost[1]).toMatchObject({ reason: { code: 'unavailable' } })
  expect(lost[2]).toMatchObject({ reason: { code: 'unavailable' } })
  expect((await all()).map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
}, 40_000)
