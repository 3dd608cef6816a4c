import type { Cluster } from '../api/context.ts'
import { forbidden } from '../status-error.ts'
import { sizeOf } from '../store/object-size.ts'
import { events } from '../types.ts'

/** What one sandbox may hold. */
export type StorageLimits = {
  /** Bytes of all objects as JSON; memory and disk follow from it. */
  maxStoredBytes: number
  maxObjects: number
}

/** Events tell why something was refused, so there is room for some of them when all else is full. */
const eventHeadroom = 1.1
const mebibyte = 1024 * 1024

/** Refuses writes that would take a sandbox beyond its limits; what is there can always be deleted or made smaller. */
export function limitStorage({ store, resources }: Cluster, limits: StorageLimits): void {
  resources.admit((operation, kind, object, old, by) => {
    if (by.subresource !== undefined && by.subresource !== 'all' && operation === 'create') return
    if (operation !== 'create' && operation !== 'update') return
    // Controllers write what follows from objects that were admitted.
    if (operation === 'update' && by.user === undefined) return
    const share = kind.key === events.key ? eventHeadroom : 1
    if (operation === 'create' && store.size >= limits.maxObjects * share) {
      const text = `this sandbox holds ${limits.maxObjects} objects at most; delete some, or ask its operator to raise its limit`
      throw forbidden(kind, object.metadata.name, text)
    }
    const grownBytes = sizeOf(object) - (old === undefined ? 0 : sizeOf(old))
    if (grownBytes <= 0 || store.bytes + grownBytes <= limits.maxStoredBytes * share) return
    const most = inMebibytes(limits.maxStoredBytes)
    const wanted = inMebibytes(store.bytes + grownBytes)
    const text = `this sandbox stores ${most} at most and this would make ${wanted}; delete something, or ask its operator to raise its limit`
    throw forbidden(kind, object.metadata.name, text)
  })
}

function inMebibytes(bytes: number): string {
  return `${Math.round((bytes / mebibyte) * 10) / 10} MiB`
}
