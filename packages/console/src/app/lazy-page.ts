import { createElement, use } from 'react'
import type { ComponentType } from 'react'

const reloadedKey = 'bey-reloaded-for-page'
/** A page that is missing again so soon after a reload is missing for good. */
const reloadPauseMs = 10_000

const failed = new Set<() => void>()

/** Lets pages that could not be loaded be asked for again. */
export function retryFailedPages(): void {
  for (const forget of failed) forget()
  failed.clear()
}

/**
 * A page in a chunk of its own. If the server was replaced and the chunk is gone, the console is loaded anew; if
 * the server cannot be reached the page says so, while everything around it stays. `prefetch` asks for the page's
 * data while its chunk is on its way.
 */
export function lazyPage<K extends string>(
  load: () => Promise<Record<K, ComponentType>>,
  name: K,
  prefetch: () => unknown = ignore,
) {
  let page: ComponentType | undefined
  let loading: Promise<ComponentType> | undefined
  const start = (): Promise<ComponentType> =>
    (loading ??= load().then(
      (module): ComponentType => (page = module[name]),
      async (cause: unknown) => {
        failed.add(() => (loading = undefined))
        throw await explain(cause)
      },
    ))
  function LazyPage() {
    return createElement(page ?? use(start()))
  }
  LazyPage.displayName = name
  // The router asks early; a failure is shown when the page is drawn.
  LazyPage.preload = () => {
    prefetch()
    return start().then(ignore, ignore)
  }
  return LazyPage
}

function ignore() {}

/** A page whose script could not be loaded. Not a defect: it works once the server is back. */
export class PageLoadError extends Error {
  override name = 'PageLoadError'
}

async function explain(cause: unknown): Promise<Error> {
  const isReachable = await fetch('/health', { cache: 'no-store' }).then(
    () => true,
    () => false,
  )
  if (!isReachable) {
    return new PageLoadError('The server cannot be reached. The page loads as soon as it answers.', { cause })
  }
  const lastReload = Number(sessionStorage.getItem(reloadedKey))
  if (Date.now() - lastReload > reloadPauseMs) {
    sessionStorage.setItem(reloadedKey, String(Date.now()))
    location.reload()
  }
  return new PageLoadError('Reload the console to get its newest version.', { cause })
}
