import { useEffect, useRef } from 'react'
import { useTitle } from './page-identity.ts'
import { useShownPath } from '../lib/shown-path.ts'

/** Keeps the document's title, and on a change of page moves the focus to it and says its name. */
export function RouteAnnouncer() {
  const title = useTitle()
  const path = useShownPath()
  const lastPath = useRef<string | null>(null)

  useEffect(() => {
    document.title = title === 'Bey' ? 'Bey' : `${title} · Bey`
  }, [title])

  useEffect(() => {
    const isFirst = lastPath.current === null
    const hasChanged = lastPath.current !== path
    lastPath.current = path
    if (isFirst || !hasChanged) return
    const main = document.querySelector('main')
    if (main && !keepsFocus(main, document.activeElement)) main.focus({ preventScroll: true })
  }, [path])

  return (
    <div aria-live="polite" aria-atomic="true" className="sr-only">
      {title}
    </div>
  )
}

/** A link inside the page that is still there, such as a tab, keeps the focus; so does an open panel, which would close. */
function keepsFocus(main: Element, focused: Element | null): boolean {
  return main.contains(focused) || Boolean(focused?.closest('[role="dialog"][data-state="open"]'))
}
