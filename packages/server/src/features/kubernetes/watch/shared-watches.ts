import type { SharedWatch, SharedWatchOptions } from './shared-watch.ts'
import { createSharedWatch } from './shared-watch.ts'

/** The watches of one cluster, by path: a resource that is kept as a kind and as rows is watched once. */
export function createSharedWatches(
  options: Omit<SharedWatchOptions, 'path' | 'isNamespaced' | 'onEmpty'>,
): (of: { path: string; isNamespaced?: boolean }) => SharedWatch {
  const watches = new Map<string, SharedWatch>()
  return ({ path, isNamespaced = false }) => {
    const found = watches.get(path)
    if (found) return found
    const watch = createSharedWatch({ ...options, path, isNamespaced, onEmpty: () => watches.delete(path) })
    watches.set(path, watch)
    return watch
  }
}
