import { ArrowLeft } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import type { PaletteItem } from './item.ts'
import type { ActionsProps } from './kinds.tsx'
import { kindOf } from './kinds.tsx'

export interface PreviewProps extends Omit<ActionsProps<PaletteItem>, 'item'> {
  item: PaletteItem
  /** It was asked for by key: its first action takes the focus. */
  takesFocus: boolean
  /** Back to the search. */
  onLeave: () => void
}

/** What one result is and what can be done with it. */
export function Preview({ item, takesFocus, onLeave, ...actions }: PreviewProps) {
  const { icon, Details, Actions } = kindOf(item)
  const box = useRef<HTMLDivElement>(null)
  const titleId = useId()
  useEffect(() => {
    if (takesFocus) actionsIn(box.current)[0]?.focus()
  }, [takesFocus, item.id])
  const moveFocus = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'ArrowLeft') onLeave()
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const all = actionsIn(box.current)
      const at = all.findIndex((each) => each === document.activeElement)
      const next = event.key === 'ArrowDown' ? at + 1 : at - 1
      all[(next + all.length) % all.length]?.focus()
    } else return
    event.preventDefault()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move among the buttons inside
    <div
      ref={box}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- no fields are grouped
      role="group"
      aria-labelledby={titleId}
      onKeyDown={moveFocus}
      className="flex max-h-full min-h-0 flex-col"
    >
      <div className="flex items-center gap-2.5 border-b border-line px-4 py-3">
        <span className="text-text-3">{icon(item)}</span>
        <div className="min-w-0 flex-1">
          <h2 id={titleId} className="truncate text-lead font-medium">
            {item.title}
          </h2>
          <p className="truncate text-small text-text-2">{item.category}</p>
        </div>
        <span className="min-[1064px]:hidden">
          <IconButton
            label="Back to the results"
            size="small"
            icon={<ArrowLeft size={14} aria-hidden />}
            onClick={onLeave}
          />
        </span>
      </div>
      <div className="flex min-h-0 flex-1 flex-col items-stretch gap-3 overflow-y-auto px-4 py-3">
        <Details key={item.id} item={item} />
      </div>
      <div data-preview-actions="" className="flex flex-wrap gap-2 border-t border-line px-4 py-3">
        <Actions key={item.id} item={item} {...actions} />
      </div>
    </div>
  )
}

function actionsIn(box: HTMLElement | null): HTMLElement[] {
  return [...(box?.querySelectorAll<HTMLElement>('[data-preview-actions] button') ?? [])]
}
