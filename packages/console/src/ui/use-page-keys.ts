import { useEffect, useRef } from 'react'
import { isTyping } from './is-typing.ts'
import type { ShownKey } from './shown-keys.ts'
import { useListedKeys } from './shown-keys.ts'

/** Single keys that do something on the page that is open. */
export interface PageKey extends ShownKey {
  run: () => void
}

/**
 * Single keys of the page that is open, as they are typed where no text field has the focus. They are listed in the sheet
 * of shortcuts under `name`.
 */
export function usePageKeys(name: string, pageKeys: readonly PageKey[]): void {
  useListedKeys(
    name,
    pageKeys.map(({ keys, does }) => ({ keys, does })),
  )
  const now = useRef(pageKeys)
  useEffect(() => {
    now.current = pageKeys
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      if (isTyping(event.target) || isPressable(event)) return
      // A dialog or menu keeps single keys to itself.
      if (document.querySelector('[role="dialog"],[role="menu"]')) return
      const key = now.current.find(({ keys }) => keys.includes(event.key))
      if (!key) return
      event.preventDefault()
      key.run()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** Space belongs to the button that has the focus. */
function isPressable({ key, target }: KeyboardEvent): boolean {
  return key === ' ' && target instanceof Element && target.closest('button, a, summary') !== null
}
