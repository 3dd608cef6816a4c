import { useEffect } from 'react'
import type { RefObject } from 'react'
import { isTyping } from './is-typing.ts'
import type { ShownKey } from './shown-keys.ts'
import { useListedKeys } from './shown-keys.ts'

/** The keys of every list, by what they do. */
const acts = {
  next: { keys: ['j', 'ArrowDown'], does: 'Next row' },
  previous: { keys: ['k', 'ArrowUp'], does: 'Previous row' },
  pageDown: { keys: ['PageDown'], does: 'Ten rows on' },
  pageUp: { keys: ['PageUp'], does: 'Ten rows back' },
  first: { keys: ['Home'], does: 'First row' },
  last: { keys: ['End'], does: 'Last row' },
  // The row's link takes the key by itself.
  open: { keys: ['Enter'], does: 'Open the row' },
  peek: { keys: [' '], does: 'Show the row in a drawer' },
  select: { keys: ['x'], does: 'Select the row' },
  selectTo: { keys: ['X'], does: 'Select all rows up to this one' },
} as const satisfies Record<string, ShownKey>

type RowAct = keyof typeof acts

/** What a list can do without a mouse. */
export const rowKeys: readonly ShownKey[] = Object.values(acts)
const unselectable = rowKeys.filter((key) => key !== acts.select && key !== acts.selectTo)

const actOfKey = new Map<string, RowAct>(
  // Object.entries widens the names to string.
  (Object.entries(acts) as [RowAct, ShownKey][]).flatMap(([act, { keys }]) =>
    keys.map((key): [string, RowAct] => [key, act]),
  ),
)

/** The row to go to from `current` (-1: none) among `count`, or undefined if the key does not move. */
export function nextRow(key: string, current: number, count: number, page: number): number | undefined {
  if (count === 0) return undefined
  const clamp = (index: number) => Math.min(count - 1, Math.max(0, index))
  switch (actOfKey.get(key)) {
    case 'next':
      return clamp(current + 1)
    case 'previous':
      return clamp(current < 0 ? 0 : current - 1)
    case 'pageDown':
      return clamp(current + page)
    case 'pageUp':
      return clamp(current - page)
    case 'first':
      return 0
    case 'last':
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
  /** Shows the thing of a row in a drawer. */
  peekRow: (index: number) => void
}

/** The keys of a list: of the page's first one, or of the one with focus. */
export function useRowKeys({ box, count, page, focusRow, toggleRow, peekRow }: RowKeys): void {
  useListedKeys('Lists', toggleRow ? rowKeys : unselectable)
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
      const act = actOfKey.get(event.key)
      if (act === 'peek') {
        // A button or a box within the row takes Space for itself.
        if (current < 0 || focused.tagName === 'BUTTON' || focused.tagName === 'INPUT') return
        event.preventDefault()
        peekRow(current)
        return
      }
      if (act === 'select' || act === 'selectTo') {
        if (!toggleRow || current < 0) return
        event.preventDefault()
        toggleRow(current, act === 'selectTo')
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
