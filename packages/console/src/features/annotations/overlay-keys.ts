import { useEffect } from 'react'

export type OverlayAction = 'leave' | 'select' | 'tree' | 'parent' | 'child' | 'previous' | 'next'

const actions: Readonly<Record<string, OverlayAction>> = {
  Escape: 'leave',
  Enter: 'select',
  ' ': 'select',
  ContextMenu: 'tree',
  ArrowUp: 'parent',
  ArrowDown: 'child',
  ArrowLeft: 'previous',
  ArrowRight: 'next',
}

/** Keys that move the focus or scroll: they change nothing, and the page keeps them. */
const harmless = new Set(['Tab', 'PageUp', 'PageDown', 'Home', 'End', 'Shift', 'Control', 'Alt', 'Meta'])

/**
 * While annotating, keys mean what annotation mode says and the page hears none of them. What the browser itself does
 * with a modifier (reload, zoom) stays.
 */
export function useOverlayKeys(
  isActive: boolean,
  isOwn: (target: Element) => boolean,
  act: (action: OverlayAction) => void,
) {
  useEffect(() => {
    if (!isActive) return
    const hear = (event: KeyboardEvent) => {
      const isOnOwnControl = event.target instanceof Element && isOwn(event.target)
      const action = event.shiftKey && event.key === 'F10' ? 'tree' : actions[event.key]
      // A focused button of the banner is pressed as any other.
      if (isOnOwnControl && action !== 'leave') return
      event.stopImmediatePropagation()
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey
      if (action && !hasModifier) {
        event.preventDefault()
        if (event.type === 'keydown') act(action)
      } else if (!hasModifier && !harmless.has(event.key) && !/^F\d+$/.test(event.key)) event.preventDefault()
    }
    window.addEventListener('keydown', hear, true)
    window.addEventListener('keyup', hear, true)
    return () => {
      window.removeEventListener('keydown', hear, true)
      window.removeEventListener('keyup', hear, true)
    }
  }, [isActive, isOwn, act])
}
