// @vitest-environment node
import { expect, test } from 'vitest'
import { parseListSearch } from './list-search.ts'

test('a valid location is read', () => {
  expect(parseListSearch({ page: 3, q: 'api', sort: 'createdAt', order: 'desc', status: 'RUNNING' })).toEqual(
    {
      page: 3,
      q: 'api',
      sort: 'createdAt',
      order: 'desc',
      status: 'RUNNING',
    },
  )
})

test('nonsense in the address is left out instead of breaking the page', () => {
  expect(parseListSearch({ page: -1, q: { a: 1 }, sort: '', status: 'x'.repeat(500), other: 1 })).toEqual({})
  expect(parseListSearch({ page: 'abc' })).toEqual({})
})

test('a filter that looks like a number stays text', () => {
  expect(parseListSearch({ q: 42 })).toEqual({ q: '42' })
})
