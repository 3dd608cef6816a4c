import type { SqlEstimate } from '@bey/contract'
import { expect, test } from 'vitest'
import { estimateText, unplannedText } from './estimate-text.ts'

const estimate: SqlEstimate = {
  reads: [],
  expectedRows: 12,
  changes: [],
  locksRows: false,
  isForAnyValues: false,
  history: null,
  advice: [],
  error: null,
}
const orders = { relation: 'orders', rows: 6_100_000, isWhole: true }
const items = { relation: 'order_items', rows: 10, isWhole: false }

test('what is read, found and measured is said, and no time that was not measured', () => {
  const known = { ...estimate, reads: [orders], history: { calls: 3, meanMs: 1_600 } }
  expect(estimateText(known, false, [])).toEqual({
    lead: 'reads all 6,100,000 rows of orders, finds about 12 rows, took 1.6 s on average before.',
    rest: 'Changes nothing.',
  })
  expect(estimateText({ ...estimate, reads: [orders, items] }, false, []).lead).toBe(
    'reads all 6,100,000 rows of orders and order_items until it has enough rows, finds about 12 rows.',
  )
  expect(estimateText({ ...estimate, reads: [items] }, false, []).lead).toBe(
    'reads order_items until it has enough rows, finds about 12 rows.',
  )
  expect(estimateText(estimate, false, []).lead).toBe('reads no table from end to end, finds about 12 rows.')
})

test('that nothing is changed is said of the transaction that only reads, else of the plan alone', () => {
  const update = { ...estimate, changes: [{ operation: 'update', relation: 'orders' } as const] }
  expect(estimateText(update, true, []).rest).toBe('Changes orders, about 12 rows.')
  expect(estimateText(update, false, []).rest).toBe('PostgreSQL will refuse it: this console only reads.')
  expect(estimateText({ ...estimate, locksRows: true }, false, []).rest).toContain('will refuse it')
  expect(estimateText(estimate, true, []).rest).toBe(
    'Its plan changes nothing; a function that it calls could.',
  )
  expect(estimateText({ ...estimate, isForAnyValues: true }, false, ['region', 'n']).rest).toBe(
    'Changes nothing. For any value of :region, :n.',
  )
})

test('where there is no plan, why', () => {
  expect(unplannedText('canceling statement due to lock timeout', '55P03', 'select 1')).toContain(
    'it would wait as well',
  )
  expect(unplannedText('syntax error', '42601', 'create table x ()')).toContain('nothing is known of it')
  expect(unplannedText('syntax error at or near "selct"', '42601', '-- x\nselect selct')).toBe(
    'PostgreSQL does not accept it: syntax error at or near "selct".',
  )
  expect(unplannedText('permission denied for table orders', '42501', 'delete from orders')).toBe(
    'PostgreSQL refuses it here: permission denied for table orders.',
  )
})
