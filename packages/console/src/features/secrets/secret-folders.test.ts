import { expect, test } from 'vitest'
import { folderOf, inFolders } from './secret-folders.ts'

const rows = (...names: string[]) => names.map((name) => ({ name }))

test('names with the same folder stand together, a folder of one is none, and the rest comes last', () => {
  const found = inFolders(rows('api', 'payments-old/key', 'payments/db', 'payments/eu/db', 'payments/key'))
  expect(found.rows.map(({ name }) => name)).toEqual([
    'payments/db',
    'payments/key',
    'api',
    'payments-old/key',
    'payments/eu/db',
  ])
  expect(found.counts).toEqual(
    new Map([
      ['', 3],
      ['payments/', 2],
    ]),
  )
  expect(found.rows.map(found.folderOf)).toEqual(['payments/', 'payments/', '', '', ''])
  expect(found.hasFolders).toBe(true)
})

test('a list without folders stays as it is', () => {
  const plain = rows('b', 'a', 'ci/key')
  expect(inFolders(plain)).toMatchObject({ rows: plain, hasFolders: false })
  expect([folderOf('a'), folderOf('a/b/c')]).toEqual(['', 'a/b/'])
})
