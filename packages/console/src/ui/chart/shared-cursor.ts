import { useSyncExternalStore } from 'react'

/** The time that is pointed at in one of several charts, which all of them mark. */
export interface SharedCursor {
  /** Milliseconds since 1970; undefined while nothing is pointed at. */
  at: () => number | undefined
  set: (at: number | undefined) => void
  subscribe: (listener: () => void) => () => void
}

export function createSharedCursor(): SharedCursor {
  let current: number | undefined
  const listeners = new Set<() => void>()
  return {
    at: () => current,
    set(at) {
      if (at === current) return
      current = at
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useSharedCursor(cursor: SharedCursor): number | undefined {
  return useSyncExternalStore(cursor.subscribe, cursor.at)
}
