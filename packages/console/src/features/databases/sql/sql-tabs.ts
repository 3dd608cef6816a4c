import type { SavedQuery } from '@bey/contract'

/** A statement that is written. `saved`: the query under whose name it is kept, as it was when it was opened or saved. */
export type SqlTabText = {
  id: string
  /** "Untitled 3"; the name of the query for a saved one. */
  name: string
  text: string
  saved: { id: string; statement: string; isShared: boolean } | null
}

/** The tabs of one database, of which one is current. There is always one. */
export type SqlTabs = { tabs: SqlTabText[]; current: string }

export const firstText = 'select now(), version();\n'

export function newTabs(): SqlTabs {
  return openText({ tabs: [], current: '' }, firstText)
}

export const currentTab = ({ tabs, current }: SqlTabs): SqlTabText | undefined =>
  tabs.find(({ id }) => id === current) ?? tabs[0]

/** Whether closing the tab would lose something that is nowhere else. */
export function isEdited({ text, saved }: SqlTabText): boolean {
  const written = text.trim()
  if (saved !== null) return written !== saved.statement.trim()
  return written !== '' && written !== firstText.trim()
}

/** Opens a statement in a tab of its own; in the current one where nothing was written there. */
export function openText(state: SqlTabs, text: string): SqlTabs {
  const kept = state.tabs.filter((tab) => !isUntouched(tab) || tab !== currentTab(state))
  return withOpened(state, { name: nextName(kept), text, saved: null })
}

/** Opens a saved query, or the tab that has it already. */
export function openSaved(state: SqlTabs, query: SavedQuery): SqlTabs {
  const open = state.tabs.find(({ saved }) => saved?.id === query.id)
  if (open) return { ...state, current: open.id }
  const { id, name, statement, isShared } = query
  return withOpened(state, { name, text: statement, saved: { id, statement, isShared } })
}

const isUntouched = (tab: SqlTabText) => tab.saved === null && !isEdited(tab)

function withOpened(state: SqlTabs, opened: Omit<SqlTabText, 'id'>): SqlTabs {
  const now = currentTab(state)
  const tab = { ...opened, id: crypto.randomUUID() }
  const isReplaced = now !== undefined && isUntouched(now)
  const tabs = isReplaced ? state.tabs.map((each) => (each === now ? tab : each)) : [...state.tabs, tab]
  return { tabs, current: tab.id }
}

export const addTab = (state: SqlTabs): SqlTabs => {
  const tab = { id: crypto.randomUUID(), name: nextName(state.tabs), text: '', saved: null }
  return { tabs: [...state.tabs, tab], current: tab.id }
}

/** Without a tab; its neighbour becomes current, and a new one follows the last. */
export function closeTab(state: SqlTabs, id: string): SqlTabs {
  const place = state.tabs.findIndex((tab) => tab.id === id)
  const tabs = state.tabs.filter((tab) => tab.id !== id)
  if (tabs.length === 0) return newTabs()
  const current = state.current === id ? (tabs[Math.min(place, tabs.length - 1)]?.id ?? '') : state.current
  return { tabs, current }
}

export const withText = (state: SqlTabs, id: string, text: string): SqlTabs => ({
  ...state,
  tabs: state.tabs.map((tab) => (tab.id === id ? { ...tab, text } : tab)),
})

/** The tab is the saved query from now on. */
export const withSaved = (state: SqlTabs, tabId: string, query: SavedQuery): SqlTabs => ({
  ...state,
  tabs: state.tabs.map((tab) =>
    tab.id === tabId
      ? {
          ...tab,
          name: query.name,
          saved: { id: query.id, statement: query.statement, isShared: query.isShared },
        }
      : tab,
  ),
})

/** "Untitled", then "Untitled 2": the smallest number that is free. */
function nextName(tabs: readonly SqlTabText[]): string {
  const names = new Set(tabs.map(({ name }) => name))
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'Untitled' : `Untitled ${number}`
    if (!names.has(name)) return name
  }
}
