import { expect, test } from 'vitest'
import { connectText } from './connect.ts'
import { connectFormats } from './connect-formats.ts'
import { connectFormatsOf } from './connect-watched.ts'
import { databaseCan, healthOfDatabase, isValidDatabaseName } from './rules.ts'
import { databaseMoves, databaseStatuses } from './statuses.ts'

const endpoint = {
  engine: 'postgres',
  host: 'db.example',
  port: 5433,
  database: 'orders',
  username: 'app',
  tls: 'verify-full',
} as const

test('each client gets the password where its language expects it, and quoted as it asks', () => {
  const password = `p@ss'"/ %`
  expect(connectText('uri', endpoint, password)).toBe(
    `postgresql://app:p%40ss'%22%2F%20%25@db.example:5433/orders?sslmode=verify-full`,
  )
  expect(connectText('psql', endpoint, password)).toContain(
    `PGPASSWORD='p@ss'\\''"/ %' psql 'host=db.example`,
  )
  expect(connectText('jdbc', endpoint, password)).toContain('password=p%40ss%27%22%2F+%25')
  expect(connectText('env', endpoint, password)).toContain(`PGPASSWORD='p@ss'\\''"/ %'`)
  for (const format of ['node', 'python', 'go'] as const)
    expect(connectText(format, endpoint, password)).toContain('p%40ss')
})

test('without a password its place is marked in every format', () => {
  for (const format of connectFormats) expect(connectText(format, endpoint), format).toContain('<password>')
})

test('a client on another machine is given the file by which it checks whom it reached', () => {
  const of = { ...endpoint, authorityFile: 'bey-ca.pem' }
  expect(connectText('uri', of)).toMatch(/\?sslmode=verify-full&sslrootcert=bey-ca\.pem$/)
  expect(connectText('psql', of)).toContain('sslmode=verify-full sslrootcert=bey-ca.pem')
  expect(connectText('jdbc', of)).toContain('&sslmode=verify-full&sslrootcert=bey-ca.pem')
  expect(connectText('env', of)).toContain('PGSSLROOTCERT=bey-ca.pem')
  for (const format of ['node', 'python', 'go'] as const)
    expect(connectText(format, of)).toContain('sslrootcert=bey-ca.pem')
})

test('an IPv6 address stands in brackets', () => {
  expect(connectText('uri', { ...endpoint, host: '::1' })).toContain('@[::1]:5433/')
})

test.each([
  ['orders', true],
  ['orders-eu', true],
  ['Orders', false],
  ['1st', false],
  ['a-', false],
  ['a'.repeat(63), true],
  ['a'.repeat(64), false],
  ['a"; drop', false],
])('%s is a name: %s', (name, isValid) => {
  expect(isValidDatabaseName(name)).toBe(isValid)
})

test('what a state does not allow is refused with the way out', () => {
  const subject = { name: 'orders', provider: 'embedded', isProtected: false } as const
  expect(databaseCan.restart({ ...subject, status: 'available' })).toBeUndefined()
  expect(databaseCan.restart({ ...subject, status: 'hibernated' })).toContain('Resume it first')
  expect(databaseCan.restart({ ...subject, provider: 'external', status: 'available' })).toContain(
    'not run by Bey',
  )
  expect(databaseCan.resume({ ...subject, status: 'available' })).toContain('cannot be resumed')
  expect(databaseCan.hibernate({ ...subject, status: 'restarting' })).toContain('Wait until')
  expect(databaseCan.delete({ ...subject, status: 'available', isProtected: true })).toContain('protected')
  expect(databaseCan.delete({ ...subject, status: 'error' })).toBeUndefined()
})

test.each([
  [{ longestLockWaitMs: 59_000, waiting: 3 }, null, null],
  [
    { longestLockWaitMs: 130_000, waiting: 3 },
    'Blocked',
    '3 sessions wait for a lock, the longest for 2 min.',
  ],
  [{ longestIdleInTransactionMs: 599_000 }, null, null],
  [
    { longestIdleInTransactionMs: 660_000 },
    'IdleInTransaction',
    'A session has been idle in its transaction for 11 min, and keeps its locks.',
  ],
  [{ frozenAge: 1_499_999_999, longestLockWaitMs: null }, null, null],
  [
    { frozenAge: 1_900_000_000, longestLockWaitMs: 130_000 },
    'Wraparound',
    'It refuses to write in 100 million transactions unless it is vacuumed: see its advice.',
  ],
  [{ connections: 9 }, 'TooManyConnections', '9 of 10 connections are in use.'],
])('a running server with %j needs attention for %s', (found, reason, detail) => {
  const at = '2026-03-01T12:00:00.000Z'
  const figures = { at, connections: 1, maxConnections: 10, ...found }
  expect(healthOfDatabase({ status: 'available', reason: null, statusSince: at, figures })).toMatchObject({
    state: reason === null ? 'healthy' : 'degraded',
    reason,
    detail,
  })
})

test.each([
  [
    'mysql',
    'mysql',
    `MYSQL_PWD='it'\\''s' mysql --host=db.example --port=3306 --user=app --ssl-mode=VERIFY_IDENTITY shop`,
  ],
  ['mariadb', 'mysql', `MYSQL_PWD='it'\\''s' mariadb --host=db.example`],
  ['mysql', 'uri', `mysql://app:it's@db.example:3306/shop?ssl-mode=VERIFY_IDENTITY`],
  [
    'valkey',
    'redis-cli',
    `REDISCLI_AUTH='it'\\''s' valkey-cli -h db.example -p 3306 --user app -n shop --tls`,
  ],
  ['redis', 'env', `REDIS_URL='rediss://app:it'\\''s@db.example:3306/shop'`],
] as const)('%s is reached by its own client (%s)', (engine, format, text) => {
  const of = { ...endpoint, engine, port: 3306, database: 'shop' }
  expect(connectText(format, of, "it's")).toContain(text)
  expect(connectFormatsOf(of)).toContain(format)
  expect(
    connectFormatsOf(of)
      .map((each) => connectText(each, of))
      .join('\n'),
  ).not.toMatch(/postgres/i)
})

test('what a database may be told to do in a status is a legal move from there', () => {
  const acts = [
    ['restart', ['restarting']],
    ['hibernate', ['hibernating']],
    ['resume', ['resuming']],
    ['changeCluster', ['updating', 'scaling']],
    ['failOver', ['failing_over']],
    ['create', ['provisioning']],
    ['delete', ['deleting']],
  ] as const
  for (const status of databaseStatuses) {
    for (const [act, next] of acts) {
      const subject = { name: 'orders', provider: 'cnpg', status, isProtected: false } as const
      if (databaseCan[act](subject, 2) !== undefined) continue
      for (const to of next) expect(databaseMoves[status], `${act} while ${status}`).toContain(to)
    }
  }
})
