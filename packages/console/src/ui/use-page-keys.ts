import { useEffect, useRef } from 'react'
import { isTyping } from './is-typing.ts'

/** Single keys of the page that is open, as they are typed where no text field has the focus. */
export function usePageKeys(actions: Readonly<Record<string, () => void>>): void {
  const now = useRef(actions)
  useEffect(() => {
    now.current = actions
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      if (isTyping(event.target) || isPressable(event)) return
      // A dialog or menu keeps single keys to itself.
      if (document.querySelector('[role="dialog"],[role="menu"]')) return
      const act = now.current[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** Space belongs to the button that has the focus. */
function isPressable({ key, target }: KeyboardEvent): boolean {
  return key === ' ' && target instanceof Element && target.closest('button, a, summary') !== null
}
