import { useEffect, useRef, useSyncExternalStore } from 'react'

/** What the page on screen can do, for the palette. */
export interface PageAction {
  id: string
  /** As the palette shows it: "Scale checkout". */
  name: string
  shortcut?: string
  run: () => void
}

let current: readonly PageAction[] = []
const listeners = new Set<() => void>()

/** Offers actions in the palette for as long as the page is open. */
export function usePageActions(actions: readonly PageAction[]): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  // Names alone are shown: as long as they stay, the palette need not hear of a new render.
  const key = JSON.stringify(actions.map(({ id, name, shortcut }) => ({ id, name, shortcut })))
  useEffect(() => {
    const shown: Omit<PageAction, 'run'>[] = JSON.parse(key)
    const mine = shown.map((each) => ({
      ...each,
      run: () => latest.current.find(({ id }) => id === each.id)?.run(),
    }))
    set(mine)
    return () => {
      if (current === mine) set([])
    }
  }, [key])
}

/** What the page on screen offers; empty where it has nothing. */
export function useOfferedActions(): readonly PageAction[] {
  return useSyncExternalStore(subscribe, () => current)
}

function set(next: readonly PageAction[]) {
  current = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
