import type { CardWidth, DashboardCard, PlacedCard } from '@bey/contract'
import { cardWidths } from '@bey/contract'

/** Cards in another order: one of them moved by so many places, as far as there is room. */
export function movedCard(cards: readonly PlacedCard[], card: DashboardCard, by: number): PlacedCard[] {
  const from = cards.findIndex((each) => each.card === card)
  const moved = cards[from]
  if (!moved) return [...cards]
  const to = Math.max(0, Math.min(cards.length - 1, from + by))
  return cards.toSpliced(from, 1).toSpliced(to, 0, moved)
}

/** The card before which another one was dropped; after it where it came from further up. */
export function droppedCard(
  cards: readonly PlacedCard[],
  card: DashboardCard,
  on: DashboardCard,
): PlacedCard[] {
  const [from, to] = [card, on].map((name) => cards.findIndex((each) => each.card === name))
  return from === undefined || to === undefined ? [...cards] : movedCard(cards, card, to - from)
}

/** A card that is a step wider or narrower. */
export function sizedCard(cards: readonly PlacedCard[], card: DashboardCard, by: 1 | -1): PlacedCard[] {
  return cards.map((each) => (each.card === card ? { ...each, width: nextWidth(each.width, by) } : each))
}

function nextWidth(width: CardWidth, by: 1 | -1): CardWidth {
  const at = cardWidths.indexOf(width) + by
  return cardWidths[Math.max(0, Math.min(cardWidths.length - 1, at))] ?? width
}

const widthTexts: Readonly<Record<CardWidth, string>> = {
  4: 'a third',
  6: 'half',
  8: 'two thirds',
  12: 'the whole width',
}

/** "3 of 7, two thirds wide". */
export function positionText(cards: readonly PlacedCard[], { card, width }: PlacedCard): string {
  const at = cards.findIndex((each) => each.card === card)
  const wide = width === 12 ? widthTexts[12] : `${widthTexts[width]} of the width`
  return `${at + 1} of ${cards.length}, ${wide}`
}

/** Whether two arrangements are the same. */
export const isSameLayout = (a: readonly PlacedCard[], b: readonly PlacedCard[]) =>
  a.length === b.length &&
  a.every(({ card, width }, index) => card === b[index]?.card && width === b[index]?.width)
