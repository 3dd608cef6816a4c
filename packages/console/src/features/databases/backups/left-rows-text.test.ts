import type { LeftTable } from '@bey/contract'
import { expect, test } from 'vitest'
import { canBeCopied, copyEffects, differingText } from './left-rows-text.ts'

const table = (name: string, more: Partial<LeftTable> = {}): LeftTable => ({
  schema: 'public',
  name,
  key: ['id'],
  left: 0,
  differing: 0,
  differingKeys: [],
  triggers: 0,
  reason: null,
  ...more,
})

test('rows that differ are named, and only tables with rows of their own are offered', () => {
  expect(differingText(table('a', { differing: 1, differingKeys: ['3'] }))).toBe(
    '1 row differs and stays as here: 3',
  )
  expect(differingText(table('a', { differing: 9, differingKeys: ['3', '4'] }))).toBe(
    '9 rows differ and stay as here: 3, 4, …',
  )
  expect(differingText(table('a'))).toBe('')
  expect([table('a', { left: 2 }), table('b'), table('c', { left: null })].map(canBeCopied)).toEqual([
    true,
    false,
    false,
  ])
})

test('before rows are copied it is said how many, what stays, and whose triggers fire', () => {
  const effects = copyEffects(
    [table('orders', { left: 2, triggers: 1 }), table('prices', { left: 3, differing: 4 })],
    'shop-before-1341',
  )
  expect(effects).toEqual([
    '5 rows of 2 tables are copied from shop-before-1341: orders, prices',
    'A row that breaks a constraint here is refused and said in the run; nothing that is here is changed',
    '4 rows with other values here are not copied',
    'Triggers fire for each copied row of orders',
  ])
})
