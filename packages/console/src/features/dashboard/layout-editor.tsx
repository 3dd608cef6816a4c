import type { DashboardCard, DashboardLayout, PlacedCard } from '@bey/contract'
import { dashboardCards, deniedReason, rowsOfCards } from '@bey/contract'
import { ArrowLeft, ArrowRight, Minus, Plus, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useChange } from '../../data/use-change.ts'
import { useRole } from '../../data/session.ts'
import { errorText } from '../../lib/error-text.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { toast } from '../../ui/toast.ts'
import { cardKinds } from './cards.tsx'
import { droppedCard, isSameLayout, movedCard, positionText, sizedCard } from './layout-draft.ts'

/** Arranges the dashboard: cards are moved and sized by keys, by buttons and by dragging. */
export function LayoutEditor({ layout, onClose }: { layout: DashboardLayout; onClose: () => void }) {
  const [cards, setCards] = useState<PlacedCard[]>(layout.cards)
  const isChanged = !isSameLayout(cards, layout.cards)
  const allow = useUnsaved(isChanged ? 'the new arrangement of the dashboard' : undefined, [])
  const save = useChange('analytics.setLayout')
  const share = useChange('analytics.shareLayout')
  const reset = useChange('analytics.resetLayout')
  const mayShare = deniedReason(useRole(), 'boards.update')
  const done = (text: string) => {
    allow()
    toast('success', text)
    onClose()
  }
  const failure = [save.error, share.error, reset.error].find((error) => error !== null)
  const missing = dashboardCards.filter((card) => !cards.some((each) => each.card === card))
  const empty = cards.length === 0 ? 'Keep at least one card.' : undefined
  return (
    <>
      <PageHeader
        title="Arrange dashboard"
        description="Arrow keys move a card, with Shift they size it, Delete removes it. Cards without anything to show are left out."
        actions={
          <>
            <Button variant="ghost" onClick={onClose}>
              {isChanged ? 'Discard' : 'Close'}
            </Button>
            {layout.source === 'own' ? (
              <Button
                variant="ghost"
                busy={reset.isPending}
                onClick={() =>
                  reset.mutate({}, { onSuccess: () => done('Dashboard follows the organization again') })
                }
              >
                Reset
              </Button>
            ) : null}
            <Button
              busy={share.isPending}
              disabledReason={mayShare ?? empty}
              onClick={() =>
                share.mutate(
                  { body: { cards } },
                  { onSuccess: () => done('Shared with everybody who has no arrangement of their own') },
                )
              }
            >
              Share
            </Button>
            <Button
              variant="primary"
              busy={save.isPending}
              disabledReason={empty ?? (isChanged ? undefined : 'Nothing has changed.')}
              onClick={() => save.mutate({ body: { cards } }, { onSuccess: () => done('Dashboard saved') })}
            >
              Save for me
            </Button>
          </>
        }
      />
      <div className="flex flex-1 flex-col gap-4 bg-sunken px-(--gutter) pt-4 pb-10">
        {failure ? <Notice tone="danger" {...noticeOf(failure)} /> : null}
        <Cards cards={cards} setCards={setCards} />
        {missing.length > 0 ? (
          <div className="flex flex-wrap items-center gap-2">
            <span className="text-text-2">Add a card:</span>
            {missing.map((card) => (
              <Button
                key={card}
                size="small"
                icon={<Plus size={14} aria-hidden />}
                onClick={() => setCards([...cards, { card, width: 6 }])}
              >
                {cardKinds[card].title}
              </Button>
            ))}
          </div>
        ) : null}
        <p className="text-small text-text-2">{sharedText(layout)}</p>
      </div>
    </>
  )
}

function noticeOf(error: Error): { title: string; children: string | undefined } {
  const { title, detail } = errorText('The dashboard was not saved', error)
  return { title, children: detail }
}

function Cards({ cards, setCards }: { cards: PlacedCard[]; setCards: (cards: PlacedCard[]) => void }) {
  const [dragged, setDragged] = useState<DashboardCard>()
  const keyDown = (event: KeyboardEvent<HTMLElement>, { card }: PlacedCard) => {
    if (event.target !== event.currentTarget) return
    const next = afterKey(cards, card, event)
    if (!next) return
    event.preventDefault()
    setCards(next)
  }
  return (
    <div className="grid grid-cols-12 gap-3">
      {rowsOfCards(cards)
        .flat()
        .map((placed) => (
          // A group that moves by keys, as a cell of a grid does. In one grid, so that it keeps its focus when it moves.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <section
            key={placed.card}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            draggable
            aria-label={`${cardKinds[placed.card].title}. ${positionText(cards, placed)}`}
            onKeyDown={(event) => keyDown(event, placed)}
            onDragStart={() => setDragged(placed.card)}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => (dragged ? event.preventDefault() : undefined)}
            onDrop={(event) => {
              event.preventDefault()
              if (dragged) setCards(droppedCard(cards, dragged, placed.card))
            }}
            style={{ gridColumn: `span ${placed.span}` }}
            className={cx(
              'min-w-0 cursor-grab rounded-card border border-line bg-bg p-3 -outline-offset-1 max-md:!col-span-12',
              dragged === placed.card && 'opacity-60',
            )}
          >
            <span className="block truncate font-medium">{cardKinds[placed.card].title}</span>
            <span className="block truncate text-small text-text-2">{positionText(cards, placed)}</span>
            <CardButtons cards={cards} card={placed.card} setCards={setCards} />
          </section>
        ))}
    </div>
  )
}

/** What each key does, for those who point. */
function CardButtons({
  cards,
  card,
  setCards,
}: {
  cards: PlacedCard[]
  card: DashboardCard
  setCards: (cards: PlacedCard[]) => void
}) {
  const { title } = cardKinds[card]
  const at = cards.findIndex((each) => each.card === card)
  const { width } = cards[at] ?? { width: 12 }
  return (
    <span className="mt-1 -ml-1.5 flex">
      <IconButton
        label={`Move ${title} forward`}
        icon={<ArrowLeft size={16} aria-hidden />}
        disabledReason={at === 0 ? 'It is the first card.' : undefined}
        onClick={() => setCards(movedCard(cards, card, -1))}
      />
      <IconButton
        label={`Move ${title} back`}
        icon={<ArrowRight size={16} aria-hidden />}
        disabledReason={at === cards.length - 1 ? 'It is the last card.' : undefined}
        onClick={() => setCards(movedCard(cards, card, 1))}
      />
      <IconButton
        label={`Make ${title} narrower`}
        icon={<Minus size={16} aria-hidden />}
        disabledReason={width === 4 ? 'It cannot be narrower.' : undefined}
        onClick={() => setCards(sizedCard(cards, card, -1))}
      />
      <IconButton
        label={`Make ${title} wider`}
        icon={<Plus size={16} aria-hidden />}
        disabledReason={width === 12 ? 'It cannot be wider.' : undefined}
        onClick={() => setCards(sizedCard(cards, card, 1))}
      />
      <IconButton
        label={`Remove ${title}`}
        icon={<X size={16} aria-hidden />}
        onClick={() => setCards(cards.filter((each) => each.card !== card))}
      />
    </span>
  )
}

/** The cards after a key; undefined for a key that does nothing here. */
function afterKey(
  cards: PlacedCard[],
  card: DashboardCard,
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
): PlacedCard[] | undefined {
  if (key === 'Delete' || key === 'Backspace') return cards.filter((each) => each.card !== card)
  const by =
    key === 'ArrowRight' || key === 'ArrowDown' ? 1 : key === 'ArrowLeft' || key === 'ArrowUp' ? -1 : 0
  if (by === 0) return undefined
  return shiftKey ? sizedCard(cards, card, by) : movedCard(cards, card, by)
}

function sharedText({ shared, source }: DashboardLayout): string {
  const own = source === 'own' ? 'You see an arrangement of your own.' : ''
  if (!shared) return [own, 'No arrangement is shared with the organization.'].filter(Boolean).join(' ')
  return [own, `${shared.by ?? 'A former member'} shared the arrangement of the organization.`]
    .filter(Boolean)
    .join(' ')
}
