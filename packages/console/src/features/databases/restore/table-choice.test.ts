import { expect, test } from 'vitest'
import { besideName, tableOf } from './table-choice.ts'

test.each([
  ['price_rules', { schema: 'public', name: 'price_rules' }],
  [' shop.Price Rules ', { schema: 'shop', name: 'Price Rules' }],
  ['', undefined],
  ['shop.', undefined],
  ['x'.repeat(64), undefined],
])('%j is the table %j', (typed, table) => {
  expect(tableOf(typed)).toEqual(table)
})

test('a table beside another one carries the time of its moment', () => {
  expect(besideName('prices', Date.parse('2026-11-22T12:41:06Z'))).toBe('prices_restored_1241')
})
