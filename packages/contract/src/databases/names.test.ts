import { expect, test } from 'vitest'
import { isValidDatabaseName } from './rules.ts'

test.each([
  'postgres',
  'template0',
  'template1',
  'bey-reader',
  'bey-monitor',
  'bey-dumper',
  'pg-monitor',
  'pg-read-all-data',
  'public',
  'none',
])('a name that belongs to PostgreSQL or to Bey is refused: %s', (name) =>
  expect(isValidDatabaseName(name)).toBe(false),
)

test.each(['orders', 'postgres-eu', 'pgbench', 'template2', 'bey'])('other names are taken: %s', (name) =>
  expect(isValidDatabaseName(name)).toBe(true),
)
