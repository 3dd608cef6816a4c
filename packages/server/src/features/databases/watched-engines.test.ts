import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { createAuthority, createLeaf } from '../../platform/certificate/certificate.ts'
import { testApp } from '../../testing/app.ts'
import { mariadbPath, redisPath, startMariadb, startRedis } from '../../testing/watched-servers.ts'
import { databaseApi } from './testing/database-api.ts'

const app = await testApp()
const { ask, until, lookNow } = databaseApi(app, await app.given.user({ role: 'MEMBER' }))
const tried = async (uri: string, caPem?: string) =>
  (await ask('POST', '/api/databases/test', { connection: { uri, ...(caPem && { caPem }) } })).body
const connect = async (name: string, uri: string): Promise<string> => {
  const made = await ask('POST', '/api/databases', { provider: 'external', name, connection: { uri } })
  expect(made.status, made.text).toBe(201)
  return made.body.id
}
/** What was counted, once this holds for it. */
const counted = async (id: string, text: string) => {
  await ask('POST', `/api/databases/${id}/statements/measure`)
  const { body } = await ask('GET', `/api/databases/${id}/statements`)
  const found = body.statements.find((each: { text: string }) => each.text.includes(text))
  return { body, found }
}
const metricsOf = async (id: string, metrics: string) => {
  const { body } = await ask('GET', `/api/metrics/database?ids=${id}&metrics=${metrics}&range=3600`)
  return body.series.map(({ metric }: { metric: string }) => metric).toSorted()
}
/** Parts of the product that are for PostgreSQL alone. */
const refusedFor = async (id: string, engine: string) => {
  const asked = [
    ['POST', `/api/databases/${id}/query`, { statement: 'select 1' }],
    ['GET', `/api/databases/${id}/sessions`],
    ['GET', `/api/databases/${id}/roles`],
    ['POST', `/api/databases/${id}/backups`, {}],
  ] as const
  for (const [method, path, body] of asked) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const reply = await ask(method, path, body)
    expect([path, reply.status], reply.text).toEqual([path, 409])
  }
  const sql = await ask('POST', `/api/databases/${id}/query`, { statement: 'select 1' })
  expect(sql.body.detail).toContain(`It is a ${engine} database, and this is for PostgreSQL.`)
}

const web = createServer((_request, response) => response.end('No database'))
await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', () => resolve()))
// A server that listens on an address has a port.
const webPort = (web.address() as AddressInfo).port
const authority = await createAuthority(new Date())
const ca = authority.certificatePem
const certificate = await createLeaf(authority, ['db.example.com', '127.0.0.1'], new Date())
afterAll(() => web.close())

test.each([
  ['mysql://a@b', 'The database is missing'],
  ['mysql://b/c', 'The user is missing'],
  ['mysql://a@b/c?ssl-mode=MAYBE', 'There is no such ssl-mode'],
  ['mysql://a@b/c?charset=latin1', 'sslmode and ssl-mode are supported'],
  ['redis://b/shop', 'is a number'],
  ['redis://b?sslmode=require', 'begin with rediss://'],
  ['rediss://b?sslmode=disable', 'always encrypted'],
  ['mongodb://b/c', 'Begin with postgresql://, mysql:// or redis://'],
])('the connection string %s is refused before anything is asked', async (uri, words) => {
  const reply = await ask('POST', '/api/databases/test', { connection: { uri } })
  expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request'])
  expect(JSON.stringify(reply.body)).toContain(words)
})

describe.skipIf(mariadbPath === undefined)('MariaDB', () => {
  let server: Awaited<ReturnType<typeof startMariadb>>
  let good = ''
  beforeAll(async () => {
    server = await startMariadb(certificate)
    await server.execute(`
      create user app@'127.0.0.1' identified by 'app-password';
      grant select, insert, update on shop.* to app@'127.0.0.1';
      create user monitor@'127.0.0.1' identified by 'monitor-password';
      grant select on shop.* to monitor@'127.0.0.1';
      grant process on *.* to monitor@'127.0.0.1';
      grant select on performance_schema.* to monitor@'127.0.0.1';
      create table shop.orders (id int primary key, note text) engine = innodb;
      use shop;
      insert into orders select seq, repeat('x', 200) from seq_1_to_2000;
      analyze table orders;`)
    good = `mysql://monitor:monitor-password@127.0.0.1:${server.port}/shop`
  }, 180_000)
  afterAll(() => server.end())

  test('each wrong part of a connection string has its own sentence, none with the password', async () => {
    const port = String(server.port)
    const cases: [string, string][] = [
      [good.replace('127.0.0.1', 'nowhere.invalid'), 'The host name "nowhere.invalid" is not known.'],
      [good.replace(port, '1'), 'Nothing accepts connections on port 1 of 127.0.0.1.'],
      [good.replace('monitor:', 'nobody:'), 'refuses the user "nobody" with this password'],
      [good.replace('monitor-password', 'wrong'), 'refuses the user "monitor" with this password'],
      [good.replace(':monitor-password', ''), 'refuses the user "monitor" without a password'],
      [good.replace('/shop', '/nothing'), 'may not use the database "nothing"'],
      [good.replace('127.0.0.1', '169.254.169.254'), '169.254.169.254'],
      [`${good}?sslmode=verify-full`, 'not signed by an authority that this machine trusts'],
    ]
    for (const [uri, sentence] of cases) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const found = await tried(uri)
      expect([uri, found]).toMatchObject([uri, { isReachable: false, engine: 'mysql' }])
      expect(found.problem).toContain(sentence)
      expect(found.problem).not.toContain('monitor-password')
    }
  })

  test('it is reached encrypted and says what it is, and what a user without PROCESS does not see', async () => {
    expect(await tried(`${good}?ssl-mode=VERIFY_IDENTITY`, ca)).toMatchObject({
      isReachable: true,
      engine: 'mariadb',
      version: expect.stringMatching(/^1\d\.\d+\.\d+$/),
      isEncrypted: true,
      notes: [],
    })
    const named = good.replace('127.0.0.1', 'localhost')
    expect((await tried(`${named}?sslmode=verify-full`, ca)).problem).toContain(
      'for another name than "localhost"',
    )
    const app = good.replace('monitor:monitor', 'app:app')
    expect(await tried(`${app}?sslmode=disable`)).toMatchObject({
      isReachable: true,
      isEncrypted: false,
      notes: [expect.stringContaining('lacks the privilege PROCESS')],
    })
    await server.execute('set global read_only = on')
    expect((await tried(good)).notes).toEqual([expect.stringContaining('read only')])
    await server.execute('set global read_only = off')
  })

  test('it is measured, its slow statements are counted without values, and it is lost with its cause', async () => {
    const id = await connect('shop', good)
    const found = await until(id, { status: 'available', engine: 'mariadb' })
    expect(found.figures).toMatchObject({ transactionsPerSecond: null, waiting: 0, idleInTransaction: 0 })
    expect(found.figures.sizeBytes).toBeGreaterThan(100_000)
    expect(found.figures.maxConnections).toBe(151)
    // A statement counts from the first look on.
    await counted(id, '')
    await server.execute(
      `select count(*) as slow_one from shop.orders a, shop.orders b where a.note < 'secret-value'`,
    )
    await expect
      .poll(async () => (await counted(id, 'slow_one')).found?.text, { timeout: 60_000 })
      .toMatch(/`?note`? < \?/)
    expect(JSON.stringify((await counted(id, 'slow_one')).body)).not.toContain('secret-value')
    await lookNow()
    await expect
      .poll(() => metricsOf(id, 'connections,size_bytes,statements_per_second,rows_read_per_second'), {
        timeout: 60_000,
      })
      .toEqual(['connections', 'rows_read_per_second', 'size_bytes', 'statements_per_second'])
    await refusedFor(id, 'MariaDB')

    await server.execute(`alter user monitor@'127.0.0.1' identified by 'another'`)
    await lookNow()
    const lost = await until(id, { status: 'unreachable', health: { state: 'failing' } })
    expect(lost.reason).toContain('refuses the user "monitor" with this password')
    await server.execute(`alter user monitor@'127.0.0.1' identified by 'monitor-password'`)
    await lookNow()
    await until(id, { status: 'available', reason: null })
  })

  test('a user that may not read the Performance Schema is given the line that lets it', async () => {
    const id = await connect('limited', good.replace('monitor:monitor', 'app:app'))
    await until(id, { status: 'available' })
    const { body } = await counted(id, '')
    expect(body.problem).toMatchObject({ lines: ["GRANT SELECT ON performance_schema.* TO 'app'@'%';"] })
  })
})

describe.skipIf(redisPath === undefined)('Redis', () => {
  let server: Awaited<ReturnType<typeof startRedis>>
  let good = ''
  beforeAll(async () => {
    server = await startRedis(['--maxmemory', '64mb', '--slowlog-log-slower-than', '0'])
    await server.ask('ACL', 'SETUSER', 'blind', 'on', '>blind-password', '+select', '~*')
    await server.ask('ACL', 'SETUSER', 'narrow', 'on', '>narrow-password', '+select', '+info')
    await server.ask('ACL', 'SETUSER', 'default', 'on', '>main-password')
    good = `redis://:main-password@127.0.0.1:${server.port}/0`
  })
  afterAll(() => server.end())

  test('each wrong part of a connection string has its own sentence, none with the password', async () => {
    const port = String(server.port)
    const cases: [string, string][] = [
      [good.replace(port, '1'), 'Nothing accepts connections on port 1 of 127.0.0.1.'],
      [good.replace(port, String(webPort)), 'without speaking Redis'],
      [good.replace('main-password', 'wrong'), 'refuses the user "default" with this password'],
      [good.replace(':main-password@', ''), 'asks for a password of the user "default"'],
      [good.replace('/0', '/99'), 'has no database 99'],
      [good.replace('redis:', 'rediss:').replace(port, String(webPort)), 'does not speak TLS'],
      [good.replace(':main', 'blind:blind'), 'may not execute INFO'],
      [good.replace('127.0.0.1', '169.254.169.254'), '169.254.169.254'],
    ]
    for (const [uri, sentence] of cases) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const found = await tried(uri)
      expect([uri, found]).toMatchObject([uri, { isReachable: false, engine: 'redis' }])
      expect(found.problem).toContain(sentence)
      expect(found.problem).not.toContain('main-password')
    }
  })

  test('a user without the slow log is told so, and TLS is checked', async () => {
    expect(await tried(good.replace(':main', 'narrow:narrow'))).toMatchObject({
      isReachable: true,
      notes: [expect.stringContaining('The slow log cannot be read')],
    })
    const secured = await startRedis([], certificate)
    try {
      const uri = `rediss://127.0.0.1:${secured.port}`
      expect(await tried(uri, ca)).toMatchObject({ isReachable: true, isEncrypted: true })
      expect((await tried(uri)).problem).toContain('not signed by an authority')
      expect((await tried(uri.replace('127.0.0.1', 'localhost'), ca)).problem).toContain('for another name')
    } finally {
      secured.end()
    }
  })

  test('it is measured, its commands are counted, values stay there, and full memory needs attention', async () => {
    const id = await connect('cache', good)
    const found = await until(id, { status: 'available', engine: expect.stringMatching(/redis|valkey/) })
    expect(found.figures).toMatchObject({ active: null, waiting: 0, sizeLimitBytes: 64 * 1024 ** 2 })
    await server.ask('SET', 'greeting', 'secret-value', 'EX', '1000')
    await server.ask('GET', 'greeting')
    await lookNow()
    await expect
      .poll(async () => (await counted(id, 'GET')).body.slowest.map(({ text }: { text: string }) => text), {
        timeout: 60_000,
      })
      .toContain('SET greeting … 3 more')
    expect(JSON.stringify((await counted(id, 'GET')).body)).not.toContain('secret-value')
    expect((await ask('GET', `/api/databases/${id}`)).text).not.toContain('greeting')
    await refusedFor(id, 'Redis')
    const uri = 'postgresql://a:b@127.0.0.1:1/c'
    const other = await ask('PUT', `/api/databases/${id}/connection`, { connection: { uri } })
    expect([other.status, other.body.detail]).toEqual([409, expect.stringContaining('as another one')])

    await server.ask('CONFIG', 'SET', 'maxmemory', '1000000')
    await lookNow()
    await until(id, { health: { state: 'degraded', reason: 'NearlyFull' } })
  })
})
