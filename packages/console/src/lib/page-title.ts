import { useEffect, useSyncExternalStore } from 'react'

/** What stands above a page and is not known from its address alone. */
export type PageParent = { label: string; href: string }

type PageName = { title: string | undefined; parents: readonly PageParent[]; crumb: string | undefined }

const unnamed: PageName = { title: undefined, parents: [], crumb: undefined }

// What the page shown calls itself, where the address alone does not know: the name of a cluster, of a run.
let current = unnamed
const listeners = new Set<() => void>()

function set(name: PageName) {
  if (name === current) return
  current = name
  for (const listener of listeners) listener()
}

/**
 * Names the page in the document title and as the last breadcrumb, while it is shown. `parents` stand between the list
 * of its service and the page itself, the outermost first; `crumb` is the last breadcrumb where a parent says already
 * what the title says.
 */
export function usePageTitle(
  title: string | undefined,
  parents: readonly PageParent[] = [],
  crumb?: string,
): void {
  const key = JSON.stringify(parents)
  useEffect(() => {
    set({ title, parents: JSON.parse(key) as PageParent[], crumb })
    return () => set(unnamed)
  }, [title, key, crumb])
}

/** For the shell: how the page named itself. */
export function useOwnPageName(): PageName {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}
