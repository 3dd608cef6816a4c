import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'

const steps = {
  vertical: { ArrowUp: -1, ArrowDown: 1 },
  horizontal: { ArrowLeft: -1, ArrowRight: 1 },
} as const

/** Keys of a group with one Tab stop, for the list of shortcuts. */
export const stopKeys = {
  vertical: { keys: ['ArrowUp', 'ArrowDown'], does: 'Move in the sidebar' },
  horizontal: { keys: ['ArrowLeft', 'ArrowRight'], does: 'Move in the header' },
}

/**
 * Makes the links and buttons within an element one stop of the Tab key: arrow keys move between them, Home and End to
 * the ends, and Tab comes back to where the focus was, or else to the page that is open.
 */
export function useOneTabStop<T extends HTMLElement>(direction: keyof typeof steps): RefObject<T | null> {
  const ref = useRef<T>(null)
  useEffect(() => {
    const group = ref.current
    if (!group) return
    let last: HTMLElement | undefined
    const items = () => [...group.querySelectorAll<HTMLElement>('a[href], button:not([disabled])')]
    const mark = () => {
      const all = items()
      const stop =
        all.find((each) => each === last) ??
        all.find((each) => each.matches('[aria-current="page"]')) ??
        all[0]
      for (const each of all) each.tabIndex = each === stop ? 0 : -1
    }
    const onFocus = ({ target }: FocusEvent) => {
      last = items().find((each) => each === target) ?? last
      mark()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      const all = items()
      const at = all.findIndex((each) => each === event.target)
      const step = Object.entries(steps[direction]).find(([key]) => key === event.key)?.[1]
      const next = event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1 : step && at + step
      if (at < 0 || next === undefined) return
      event.preventDefault()
      all[next]?.focus()
    }
    mark()
    // Groups are opened and closed, results are found, parts come later.
    const changes = new MutationObserver(mark)
    changes.observe(group, {
      childList: true,
      subtree: true,
      attributeFilter: ['aria-current', 'disabled', 'href'],
    })
    group.addEventListener('focusin', onFocus)
    group.addEventListener('keydown', onKey)
    return () => {
      changes.disconnect()
      group.removeEventListener('focusin', onFocus)
      group.removeEventListener('keydown', onKey)
    }
  }, [direction])
  return ref
}
