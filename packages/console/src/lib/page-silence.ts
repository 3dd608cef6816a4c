import { useEffect, useSyncExternalStore } from 'react'

// Since when the page shown says nothing new, because what it is about does not answer.
let current: string | undefined
const listeners = new Set<() => void>()

function set(since: string | undefined) {
  if (since === current) return
  current = since
  for (const listener of listeners) listener()
}

/** Says that what the page is about has not answered since then, RFC 3339, as long as it is shown. */
export function usePageSilence(since: string | undefined): void {
  useEffect(() => {
    if (since === undefined) return
    set(since)
    return () => set(undefined)
  }, [since])
}

/** For the shell: since when what the page is about has not answered; undefined while it does. */
export function useShownSilence(): string | undefined {
  return useSyncExternalStore(subscribe, () => current)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
