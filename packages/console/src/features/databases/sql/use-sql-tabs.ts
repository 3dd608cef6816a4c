import { useEffect, useState } from 'react'
import { useUser } from '../../../data/session.ts'
import { keepTabs, keptTabs } from './kept-tabs.ts'
import { forgetPrepared, preparedStatement } from './sql-drafts.ts'
import type { SqlTabs } from './sql-tabs.ts'
import { newTabs, openText } from './sql-tabs.ts'

/** Writing all tabs takes longer than a key press may. */
const pauseMs = 300

/** Tabs as they are on this page: what is not kept in the browser lasts as long as the page. */
const onPage = new Map<string, SqlTabs>()

/** The tabs of the console of a database, as this user left them; a statement that was prepared elsewhere has one of its own. */
export function useSqlTabs(databaseId: string) {
  const key = `${useUser()?.id ?? 0}/${databaseId}`
  const [state, setState] = useState(() => {
    const before = onPage.get(key) ?? keptTabs(key) ?? newTabs()
    const prepared = preparedStatement(databaseId)
    return prepared === undefined ? before : openText(before, prepared)
  })
  useEffect(() => forgetPrepared(databaseId), [databaseId])
  // The browser's storage is outside of React. It is written in pauses of typing, and before the page or the tab is left.
  useEffect(() => {
    onPage.set(key, state)
    const keep = () => keepTabs(key, state)
    const timer = setTimeout(keep, pauseMs)
    window.addEventListener('pagehide', keep)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pagehide', keep)
    }
  }, [key, state])
  useEffect(
    () => () => {
      const left = onPage.get(key)
      if (left) keepTabs(key, left)
    },
    [key],
  )
  return [state, setState] as const
}
