import { expect, test } from 'vitest'
import { defaultCards, rowsOfCards } from './dashboard-cards.ts'

const spans = (widths: readonly number[]) =>
  rowsOfCards(widths.map((width) => ({ width }))).map((row) => row.map(({ span }) => span))

test.each([
  ['a full row stays as it is', [8, 4], [[8, 4]]],
  ['a card alone takes the whole row', [8], [[12]]],
  ['the widest card of a row takes what is left', [4, 6, 12], [[4, 8], [12]]],
  ['what does not fit begins the next row', [8, 8, 4, 4], [[12], [8, 4], [12]]],
  ['no cards are no rows', [], []],
])('%s', (_, widths, rows) => expect(spans(widths)).toEqual(rows))

test('the default has no hole when nothing needs attention and nothing happened', () => {
  const calm = defaultCards.filter(({ card }) => card !== 'attention' && card !== 'since')
  for (const row of rowsOfCards(calm)) {
    expect(row.reduce((sum, { span }) => sum + span, 0)).toBe(12)
    expect(row.map(({ width }) => width)).toEqual(row.map(({ span }) => span))
  }
})
