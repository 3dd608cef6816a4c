/** Cards that a dashboard can have, each at most once. */
export const dashboardCards = [
  'attention',
  'since',
  'services',
  'capacity',
  'ending',
  'use',
  'activity',
  'spend',
  'clusters',
] as const
export type DashboardCard = (typeof dashboardCards)[number]

/** Widths of a card, of 12 columns. */
export const cardWidths = [4, 6, 8, 12] as const
export type CardWidth = (typeof cardWidths)[number]

export type PlacedCard = { card: DashboardCard; width: CardWidth }

/** The dashboard of an organization in which nobody arranged one. */
export const defaultCards: readonly PlacedCard[] = [
  { card: 'attention', width: 8 },
  { card: 'since', width: 4 },
  { card: 'services', width: 12 },
  { card: 'capacity', width: 8 },
  { card: 'ending', width: 4 },
  { card: 'use', width: 8 },
  { card: 'spend', width: 4 },
  { card: 'activity', width: 12 },
]

const columns = 12

/**
 * Pure: cards as rows of 12 columns, in their order. A row that is not full is widened, so that a card that has nothing
 * to show now leaves no hole.
 */
export function rowsOfCards<T extends { width: number }>(cards: readonly T[]): (T & { span: number })[][] {
  const rows: T[][] = []
  let used = columns
  for (const card of cards) {
    if (used + card.width > columns) {
      rows.push([])
      used = 0
    }
    rows.at(-1)?.push(card)
    used += card.width
  }
  return rows.map((row) => {
    const free = columns - row.reduce((sum, { width }) => sum + width, 0)
    const widest = row.reduce((best, card, index) => (card.width > (row[best]?.width ?? 0) ? index : best), 0)
    return row.map((card, index) => ({ ...card, span: card.width + (index === widest ? free : 0) }))
  })
}
