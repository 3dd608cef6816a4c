import { useEffect, useLayoutEffect, useRef } from 'react'
import type { KeyboardEvent } from 'react'
import type { Point } from './box.ts'
import type { ComponentLevel } from './component-levels.ts'

export interface LevelListProps {
  /** Where it opens, in the viewport. */
  at: Point
  levels: readonly ComponentLevel[]
  /** The level that is looked at, to be outlined. */
  onLook: (level: ComponentLevel) => void
  onChoose: (level: ComponentLevel) => void
  onClose: () => void
}

const marginPx = 8

/** The component hierarchy at a place, the innermost first; a press anywhere else closes it. */
export function LevelList({ at, levels, onLook, onChoose, onClose }: LevelListProps) {
  const panel = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const box = panel.current
    if (!box) return
    box.style.left = `${Math.max(marginPx, Math.min(at.x, innerWidth - box.offsetWidth - marginPx))}px`
    box.style.top = `${Math.max(marginPx, Math.min(at.y, innerHeight - box.offsetHeight - marginPx))}px`
    box.querySelector<HTMLElement>('[role="menuitem"]')?.focus()
  }, [at])
  useEffect(() => {
    const close = (event: Event) => {
      if (event.target instanceof Node && panel.current?.contains(event.target)) return
      // It closes the list and does nothing else.
      event.stopPropagation()
      onClose()
    }
    window.addEventListener('pointerdown', close, true)
    return () => window.removeEventListener('pointerdown', close, true)
  }, [onClose])
  const move = (event: KeyboardEvent) => {
    const items = [...(panel.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]
    const index = items.findIndex((each) => each === document.activeElement)
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: items.length - 1 }[event.key]
    if (next !== undefined) items.at(next % items.length)?.focus()
    else if (event.key === 'Escape' || event.key === 'Tab') onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={panel}
      role="menu"
      tabIndex={-1}
      aria-label="Select Component Level"
      onKeyDown={move}
      className="pointer-events-auto fixed max-h-[60vh] w-64 max-w-[calc(100vw-1rem)] cursor-default overflow-y-auto rounded-popover border border-line bg-overlay p-1 shadow-float"
    >
      <p className="px-2 py-1 text-small font-medium text-text-2">Select Component Level</p>
      {levels.toReversed().map((level, index) => (
        <button
          key={index}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => onChoose(level)}
          onFocus={() => onLook(level)}
          onPointerEnter={(event) => event.currentTarget.focus()}
          className="flex min-h-7 w-full items-center gap-2 rounded-badge px-2 py-1 text-left outline-none focus:bg-active touch:min-h-9"
        >
          <span className="min-w-0 flex-1 truncate font-medium">{level.name}</span>
          <code className="text-small text-text-3">{level.element.localName}</code>
        </button>
      ))}
    </div>
  )
}
