import { lazy } from 'react'
import type { ComponentType, LazyExoticComponent } from 'react'
import { retryImport } from './retry-import.ts'

/**
 * What lies over or beside a page, in a chunk of its own. As long as the server cannot be reached its place shows the
 * fallback of `Suspense`; the page stays, with what was typed in it.
 */
export function lazyPart<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() => retryImport(load))
}
