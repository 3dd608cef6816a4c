import { Search } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { ProgressLine } from '../../ui/progress-line.tsx'
import type { PaletteItem } from './item.ts'
import { optionsOf, PaletteList } from './palette-list.tsx'
import { PaletteFooter } from './palette-footer.tsx'
import { Preview } from './preview.tsx'
import { quickSelectIndex, stepOf } from './palette-keys.ts'
import { useResults } from './use-results.ts'
import type { Setting } from './use-results.ts'

export interface PaletteBodyProps {
  onChoose: (item: PaletteItem) => void
  onOpen: (item: PaletteItem, path: string) => void
  onAsk: (item: PaletteItem, draw: (close: () => void) => ReactNode) => void
  setting: Setting
}

/** Whether the focus is in the preview: the topmost layer, which Escape leaves before it closes the palette. */
export const isInPreview = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-palette-preview]') !== null

/** A result is looked at closely once the pointer rests on it this long. */
const hoverMs = 120

const panelClass = 'pointer-events-auto border border-line bg-overlay shadow-float'

export function PaletteBody({ onChoose, onOpen, onAsk, setting }: PaletteBodyProps) {
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  const [preview, setPreview] = useState<'closed' | 'shown' | 'entered'>('closed')
  // Once one points or moves, rows stay where they are until the next keystroke in the search.
  const [isHeld, setHeld] = useState(false)
  const query = text.trim()
  const { rows, isLoading, isSearching } = useResults(query, isHeld, setting)
  const options = optionsOf(rows)
  const current = options[Math.min(active, options.length - 1)]
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const hover = useRef<ReturnType<typeof setTimeout>>(undefined)

  const move = (index: number) => {
    setHeld(true)
    setActive(index)
  }
  const leavePreview = () => {
    setPreview(isWide() ? 'shown' : 'closed')
    input.current?.focus()
  }
  const point = (index: number) => {
    if (index === current?.index && preview !== 'closed') return
    move(index)
    clearTimeout(hover.current)
    if (isWide())
      hover.current = setTimeout(() => setPreview((now) => (now === 'entered' ? now : 'shown')), hoverMs)
  }
  const onInputKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const step = stepOf(event.key)
    const isAtEnd = event.currentTarget.selectionStart === text.length
    if (step !== undefined && options.length > 0) {
      const next = (current?.index ?? 0) + step
      const isPaging = Math.abs(step) > 1
      const last = options.length - 1
      move(isPaging ? Math.max(0, Math.min(last, next)) : (next + options.length) % options.length)
    } else if (event.key === 'Enter' && current) onChoose(current.item)
    else if (event.key === 'ArrowRight' && isAtEnd && current && !hasModifier(event)) setPreview('entered')
    else if (event.key === 'ArrowLeft' && text === '' && preview !== 'closed') setPreview('closed')
    else return
    event.preventDefault()
  }
  const onAnyKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isInPreview(event.target)) return leavePreview()
    const wanted = query === '' ? quickSelectIndex(event) : undefined
    const option = wanted === undefined ? undefined : options[wanted]
    if (!option) return
    event.preventDefault()
    event.stopPropagation()
    onChoose(option.item)
  }
  return (
    <div className="flex h-full items-start gap-2" onKeyDown={onAnyKey} role="presentation">
      <div
        className={`${panelClass} relative flex max-h-full w-full shrink-0 flex-col overflow-hidden rounded-card min-[1064px]:w-[620px]`}
      >
        <ProgressLine active={isLoading} />
        <div className="flex h-12 shrink-0 items-center gap-3 border-b border-line px-4">
          <Search size={16} aria-hidden className="shrink-0 text-text-3" />
          <input
            ref={input}
            role="combobox"
            aria-expanded
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={current ? `${listId}-${current.index}` : undefined}
            aria-label="Search for apps, commands, and settings"
            placeholder="Search for apps, commands, and settings..."
            autoComplete="off"
            spellCheck={false}
            data-focus="quiet"
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setActive(0)
              setHeld(false)
              clearTimeout(hover.current)
              setPreview('closed')
            }}
            onFocus={() => setPreview((now) => (now === 'entered' ? 'shown' : now))}
            onKeyDown={onInputKey}
            className="h-full min-w-0 flex-1 bg-transparent text-lead outline-none touch:text-dialog"
          />
        </div>
        <PaletteList
          id={listId}
          rows={rows}
          activeIndex={current?.index}
          isQuickSelect={query === ''}
          onPoint={point}
          onChoose={onChoose}
          onLook={(index) => {
            move(index)
            setPreview('entered')
          }}
        />
        {options.length === 0 && !isSearching && query !== '' ? (
          <output className="block px-4 py-10 text-center">
            <span className="block font-medium break-words">No results found for "{query}"</span>
            <span className="mt-1 block text-text-2">Try searching for something else</span>
          </output>
        ) : null}
        <PaletteFooter isQuickSelect={query === ''} resultCount={query === '' ? undefined : options.length} />
      </div>
      {preview !== 'closed' && current ? (
        <div
          data-palette-preview=""
          className={`${panelClass} flex flex-col absolute top-0 right-0 max-h-full min-h-96 w-[min(400px,100%)] rounded-card min-[1064px]:static min-[1064px]:min-h-0 min-[1064px]:w-[400px] min-[1064px]:shrink-0`}
        >
          <Preview
            item={current.item}
            takesFocus={preview === 'entered'}
            onLeave={leavePreview}
            onChoose={() => onChoose(current.item)}
            onOpen={(path) => onOpen(current.item, path)}
            onAsk={(draw) => onAsk(current.item, draw)}
          />
        </div>
      ) : null}
    </div>
  )
}

const hasModifier = (event: KeyboardEvent) => event.ctrlKey || event.metaKey || event.altKey || event.shiftKey

// As the styles: from here on the preview has room beside the list.
const isWide = () => matchMedia('(min-width: 1064px)').matches
