import type { PlacedCard } from '@bey/contract'
import { rowsOfCards } from '@bey/contract'
import { PanelBoundary } from '../../ui/panel-boundary.tsx'
import { cardKinds, type CardView } from './cards.tsx'

/** In full: the style sheet is made of the classes that the source names. */
const spanClasses: Readonly<Record<number, string>> = {
  4: 'lg:col-span-4',
  6: 'lg:col-span-6',
  8: 'lg:col-span-8',
}

/** The cards that have something to show, in rows of 12 columns; one below the other on a phone. */
export function CardGrid({ cards, view }: { cards: readonly PlacedCard[]; view: CardView }) {
  const shown = cards.filter(({ card }) => cardKinds[card].isShown?.(view) ?? true)
  return (
    <div className="flex flex-col gap-6">
      {rowsOfCards(shown).map((row) => (
        <div
          key={row.map(({ card }) => card).join(' ')}
          className="grid grid-cols-12 items-start gap-x-8 gap-y-6"
        >
          {row.map(({ card, span }) => (
            <div key={card} className={`col-span-12 min-w-0 ${spanClasses[span] ?? ''}`}>
              <PanelBoundary panel={cardKinds[card].title}>{cardKinds[card].draw(view)}</PanelBoundary>
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
