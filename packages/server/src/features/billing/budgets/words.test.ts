import { expect, test } from 'vitest'
import { headlineTitle } from './words.ts'

const titleOf = (amount: string, budget?: string) =>
  headlineTitle(
    '2026-11',
    'EUR',
    {
      spent: 0n,
      forecast: { state: 'ready', amount } as Parameters<typeof headlineTitle>[2]['forecast'],
    },
    budget,
  )

test.each([
  ['2700.000000', '2590.00', 'November will cost about €2,700, €110 over its budget'],
  ['2557.160000', '2590.00', 'November will cost about €2,557, €33 under its budget'],
  ['2590.120000', '2590.00', 'November will cost about €2,590, as much as its budget'],
  ['2589.700000', '2590.00', 'November will cost about €2,590, as much as its budget'],
  ['2590.120000', undefined, 'November will cost about €2,590'],
])('a forecast of %s against %s: %s', (amount, budget, title) => {
  expect(titleOf(amount, budget)).toBe(title)
})
