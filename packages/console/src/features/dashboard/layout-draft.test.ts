import type { PlacedCard } from '@bey/contract'
import { expect, test } from 'vitest'
import { droppedCard, isSameLayout, movedCard, positionText, sizedCard } from './layout-draft.ts'

const cards: PlacedCard[] = [
  { card: 'attention', width: 8 },
  { card: 'since', width: 4 },
  { card: 'services', width: 12 },
]
const order = (all: readonly PlacedCard[]) => all.map(({ card }) => card).join(' ')

test('a card moves by a place, and not beyond the ends', () => {
  expect(order(movedCard(cards, 'services', -1))).toBe('attention services since')
  expect(order(movedCard(cards, 'attention', -1))).toBe('attention since services')
  expect(order(movedCard(cards, 'since', 9))).toBe('attention services since')
})

test('a dropped card takes the place of the one that it was dropped on', () => {
  expect(order(droppedCard(cards, 'services', 'attention'))).toBe('services attention since')
  expect(order(droppedCard(cards, 'attention', 'services'))).toBe('since services attention')
})

test('a card is sized by steps, and its place is said in words', () => {
  const wider = sizedCard(cards, 'since', 1)
  expect(wider[1]).toEqual({ card: 'since', width: 6 })
  expect(sizedCard(cards, 'services', 1)).toEqual(cards)
  expect(positionText(wider, { card: 'since', width: 6 })).toBe('2 of 3, half of the width')
  expect(positionText(cards, { card: 'services', width: 12 })).toBe('3 of 3, the whole width')
  expect(isSameLayout(cards, wider)).toBe(false)
  expect(isSameLayout(cards, [...cards])).toBe(true)
})
