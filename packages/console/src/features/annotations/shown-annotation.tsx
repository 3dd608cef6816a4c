import type { Annotation } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import * as Popover from 'radix-ui/popover'
import { useEffect, useMemo } from 'react'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { failureOf } from '../../lib/failed-query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AnnotationNote } from './annotation-note.tsx'
import { boxOf, unionOf } from './box.ts'
import { Outlines } from './outlines.tsx'
import { annotationParam, pageUrl } from './page-url.ts'
import { ownAttribute } from '../../data/annotation-mode.ts'
import { useRead } from '../../data/use-read.ts'
import { useAnnotated } from './use-annotated.ts'

const cardClass =
  'w-96 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-popover border border-line-strong bg-overlay shadow-float'

/** A note at its element on the page: the address names it, and closing it takes it out of the address. */
export default function ShownAnnotation({ id }: { id: string }) {
  const query = useRead('annotations.get', { params: { id } })
  const navigate = useNavigate()
  const close = () => {
    const search = (previous: Record<string, unknown>): Record<string, unknown> => ({
      ...previous,
      [annotationParam]: undefined,
    })
    void navigate({ to: '.', search, replace: true })
  }
  if (query.data) return <NoteOnPage note={query.data} onClose={close} />
  const failure = failureOf('Failed to fetch annotations', query)
  if (!failure) return null
  return (
    <LooseCard onClose={close}>
      <ErrorState {...failure} isCompact />
    </LooseCard>
  )
}

function NoteOnPage({ note, onClose }: { note: Annotation; onClose: () => void }) {
  // Replies arrive as a new note; the elements are looked for anew only when they are others.
  const { xpath, componentName } = note
  const wanted = useMemo(() => ({ xpath, componentName }), [xpath, componentName])
  const search = useAnnotated(wanted)
  const isHere = pagePath(note.url) === location.pathname
  if (search.state === 'seeking') return null
  const body = <AnnotationNote id={note.id} onDeleted={onClose} />
  if (search.state === 'gone') {
    return (
      <LooseCard onClose={onClose}>
        <Notice tone="warn" title="The element is no longer on this page.">
          {isHere
            ? 'It was changed or removed, or shows up only in another state of the page.'
            : `The note was left on ${note.url}.`}
        </Notice>
        {body}
      </LooseCard>
    )
  }
  return (
    <NoteAtElements elements={search.elements} onClose={onClose}>
      {search.missing > 0 ? (
        <Notice
          tone="info"
          title={`${search.missing} of ${search.missing + search.elements.length} elements are no longer on this page.`}
        />
      ) : null}
      {body}
    </NoteAtElements>
  )
}

interface NoteAtElementsProps {
  elements: readonly Element[]
  onClose: () => void
  children: ReactNode
}

function NoteAtElements({ elements, onClose, children }: NoteAtElementsProps) {
  const [first] = elements
  const anchor = useMemo(() => ({ current: { getBoundingClientRect: () => rectOf(elements) } }), [elements])
  useEffect(() => first?.scrollIntoView({ block: 'center', inline: 'nearest' }), [first])
  return (
    <>
      {createPortal(
        <div className="pointer-events-none fixed inset-0 z-[46]" {...{ [ownAttribute]: '' }}>
          <Outlines elements={elements} />
        </div>,
        document.body,
      )}
      <Popover.Root open>
        <Popover.Anchor virtualRef={anchor} />
        <Popover.Portal>
          <Popover.Content
            aria-label="Annotation"
            data-focus="quiet"
            side="bottom"
            align="start"
            sideOffset={8}
            collisionPadding={8}
            updatePositionStrategy="always"
            // The card itself, not its Close button, whose tooltip would cover the element.
            onOpenAutoFocus={(event) => {
              event.preventDefault()
              if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
            }}
            // The page stays usable beside its note.
            onInteractOutside={(event) => event.preventDefault()}
            onEscapeKeyDown={onClose}
            className={`${cardClass} z-[47] max-h-(--radix-popover-content-available-height) p-3`}
            {...{ [ownAttribute]: '' }}
          >
            <Card onClose={onClose}>{children}</Card>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </>
  )
}

/** A card of its own in the corner, for a note whose element is not there. */
function LooseCard({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return createPortal(
    <section
      aria-label="Annotation"
      className={`${cardClass} fixed right-2 bottom-10 z-[47] max-h-[70vh] p-3`}
      {...{ [ownAttribute]: '' }}
    >
      <Card onClose={onClose}>{children}</Card>
    </section>,
    document.body,
  )
}

function Card({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <>
      <div className="-mt-1 -mr-1 mb-1 flex items-center justify-between">
        <h2 className="text-small font-medium text-text-2">Annotation</h2>
        <IconButton
          label="Close annotation"
          size="small"
          icon={<X size={14} aria-hidden />}
          onClick={onClose}
        />
      </div>
      <div className="flex flex-col gap-3">{children}</div>
    </>
  )
}

function rectOf(elements: readonly Element[]): DOMRect {
  const { left, top, width, height } = unionOf(elements.map(boxOf))
  return new DOMRect(left, top, width, height)
}

function pagePath(url: string): string {
  return pageUrl(new URL(url, location.origin)).split('?', 1)[0] ?? url
}
