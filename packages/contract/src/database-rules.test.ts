import { expect, test } from 'vitest'
import { connectFormats, connectText } from './database-connect.ts'
import { databaseCan, isValidDatabaseName } from './database-rules.ts'

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
