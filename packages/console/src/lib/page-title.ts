import { useEffect, useSyncExternalStore } from 'react'

// What the page shown calls itself, where the address alone does not know: the name of a cluster, of a run.
let current: string | undefined
const listeners = new Set<() => void>()

function set(title: string | undefined) {
  if (title === current) return
  current = title
  for (const listener of listeners) listener()
}

/** Names the page in the document title and as the last breadcrumb, while it is shown. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    set(title)
    return () => set(undefined)
  }, [title])
}

/** For the shell: the name that the page gave itself. */
export function useOwnPageTitle(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
