import { useEffect } from 'react'
import type { RefObject } from 'react'
import { isTyping } from './is-typing.ts'

/** The row to go to from `current` (-1: none) among `count`, or undefined if the key does not move. */
export function nextRow(key: string, current: number, count: number, page: number): number | undefined {
  if (count === 0) return undefined
  const clamp = (index: number) => Math.min(count - 1, Math.max(0, index))
  switch (key) {
    case 'j':
    case 'ArrowDown':
      return clamp(current + 1)
    case 'k':
    case 'ArrowUp':
      return clamp(current < 0 ? 0 : current - 1)
    case 'PageDown':
      return clamp(current + page)
    case 'PageUp':
      return clamp(current - page)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}

interface RowKeys {
  box: RefObject<HTMLElement | null>
  count: number
  /** Rows that fit on the screen. */
  page: number
  focusRow: (index: number) => void
  toggleRow?: ((index: number, isRange: boolean) => void) | undefined
  /** Shows the thing of a row beside the table. */
  peekRow?: ((index: number) => void) | undefined
}

/** j k ↑ ↓ PgUp PgDn Home End move, x selects, Space peeks or else selects. Acts on the page's first table, or on the one with focus. */
export function useRowKeys({ box, count, page, focusRow, toggleRow, peekRow }: RowKeys): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return
      const element = box.current
      const focused = document.activeElement
      if (!element || !focused) return
      const isInside = element.contains(focused)
      const isIdle = focused === document.body || focused.tagName === 'MAIN'
      if (!isInside && !(isIdle && document.querySelector('[data-table]') === element)) return
      // On an idle page only the letters act: the arrows belong to scrolling.
      if (!isInside && event.key !== 'j' && event.key !== 'k') return
      const row = focused.closest('[data-row]')
      const current = isInside && row ? Number(row.getAttribute('data-row')) : -1
      const isSpace = event.key === ' ' && focused.tagName !== 'BUTTON' && focused.tagName !== 'INPUT'
      if (isSpace && peekRow && current >= 0) {
        event.preventDefault()
        peekRow(current)
        return
      }
      const isToggle = event.key === 'x' || isSpace
      if (isToggle && toggleRow && current >= 0) {
        event.preventDefault()
        toggleRow(current, event.shiftKey)
        return
      }
      const next = nextRow(event.key, current, count, page)
      if (next === undefined) return
      event.preventDefault()
      focusRow(next)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [box, count, page, focusRow, toggleRow, peekRow])
}
