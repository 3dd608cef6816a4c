import { stamp } from '../clock.ts'
import { clone, put } from '../json.ts'
import type { Kind } from '../registry/kind.ts'
import { strategyOf } from '../registry/strategies.ts'
import { conflict } from '../status-error.ts'
import type { KubeObject } from '../types.ts'
import { hasContentFinalizer } from './finalizers.ts'
import type { Resources, WriteOptions } from './resources.ts'

export type Propagation = 'Background' | 'Foreground' | 'Orphan'

export type DeleteOptions = {
  graceSeconds?: number
  propagation?: Propagation
  dryRun?: boolean
  /** Who asks; the cluster itself unless given. */
  by?: WriteOptions
  preconditions?: { uid?: string; resourceVersion?: string }
}

export type Deletion = { object: KubeObject; isGone: boolean }

const foreground = 'foregroundDeletion'
const orphan = 'orphan'

/**
 * Deletes an object, or marks it as being deleted where a grace period or a finalizer holds it. Who depends on it is
 * the garbage collector's business.
 */
export function deleteObject(
  resources: Resources,
  kind: Kind,
  namespace: string | undefined,
  name: string,
  options: DeleteOptions = {},
): Deletion {
  const { store, clock } = resources
  const old = resources.get(kind, namespace, name)
  const { uid, resourceVersion } = options.preconditions ?? {}
  if (uid !== undefined && uid !== old.metadata.uid) {
    const text = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`
    throw conflict(kind, name, text)
  }
  if (resourceVersion !== undefined && resourceVersion !== old.metadata.resourceVersion) {
    const text = `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${old.metadata.resourceVersion}`
    throw conflict(kind, name, text)
  }
  resources.review('delete', kind, old, old, options.by ?? {})
  const strategy = strategyOf(kind.key)
  const grace = strategy.graceSeconds?.(old, options.graceSeconds) ?? 0
  const finalizers = new Set(old.metadata.finalizers)
  if (options.propagation === 'Foreground') finalizers.add(foreground)
  else if (options.propagation === 'Orphan') finalizers.add(orphan)
  if (options.propagation && options.propagation !== 'Foreground') finalizers.delete(foreground)
  if (options.propagation && options.propagation !== 'Orphan') finalizers.delete(orphan)
  const isHeld = finalizers.size > 0 || hasContentFinalizer(kind, old)

  if (!isHeld && grace === 0) {
    if (options.dryRun) return { object: old, isGone: true }
    return { object: store.remove(kind.key, namespace, name) ?? old, isGone: true }
  }
  const object = clone(old)
  const { metadata } = object
  const isShorter = grace < (metadata.deletionGracePeriodSeconds ?? 0)
  if (metadata.deletionTimestamp === undefined || isShorter) {
    metadata.deletionTimestamp = stamp(clock.now() + grace * 1000)
    // A namespace goes when it is empty, however long that takes.
    if (kind.key !== 'namespaces') metadata.deletionGracePeriodSeconds = grace
    if (kind.hasGeneration && old.metadata.deletionTimestamp === undefined) {
      metadata.generation = (metadata.generation ?? 0) + 1
    }
  }
  if (finalizers.size > 0) metadata.finalizers = [...finalizers]
  else delete metadata.finalizers
  if (kind.key === 'namespaces') put(object, ['status', 'phase'], 'Terminating')
  if (options.dryRun) return { object, isGone: false }
  const isUnchanged =
    metadata.deletionTimestamp === old.metadata.deletionTimestamp &&
    finalizers.size === (old.metadata.finalizers?.length ?? 0)
  return { object: isUnchanged ? old : store.write(kind.key, object), isGone: false }
}
