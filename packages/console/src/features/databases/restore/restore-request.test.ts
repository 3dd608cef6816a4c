import { expect, test } from 'vitest'
import { restoreRequest } from './restore-request.ts'

const source = { id: 'db', name: 'catalog', plan: 'small', live: undefined } as const
const targetTime = '2026-11-22T13:41:06.000Z'
const choice = {
  source: { ...source, live: {} as never },
  draft: { name: ' catalog-restored ', plan: 'small' },
  table: undefined,
  targetTime,
  backupId: undefined,
} as const

test('a new database is asked for as the command does it', () => {
  expect(restoreRequest(choice)).toEqual({
    body: { name: 'catalog-restored', plan: 'small', targetTime },
    invalid: {},
    command: `bey databases restore catalog \\\n  --at ${targetTime} \\\n  --name catalog-restored`,
  })
  expect(restoreRequest({ ...choice, draft: { name: 'No', plan: 'small' } })).toMatchObject({
    body: undefined,
  })
})

test('a table in a schema whose rows are replaced is asked for as the command does it', () => {
  const table = { wanted: { schema: 'shop', name: 'Price Rules' }, isReplacing: true }
  expect(restoreRequest({ ...choice, table })).toEqual({
    body: { table: 'Price Rules', schema: 'shop', replace: true, targetTime },
    invalid: {},
    command: [
      'bey databases restore catalog',
      `--at ${targetTime}`,
      "--table 'Price Rules'",
      '--schema shop',
      '--replace',
    ].join(' \\\n  '),
  })
  expect(restoreRequest({ ...choice, table: { wanted: undefined, isReplacing: false } }).body).toBeUndefined()
})

test('a deleted database is named by its id', () => {
  expect(restoreRequest({ ...choice, source }).command).toContain('bey databases restore db ')
})
