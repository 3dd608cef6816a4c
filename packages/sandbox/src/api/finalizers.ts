import { listAt } from '../json.ts'
import type { Kind } from '../registry/kind.ts'
import { namespaces, type KubeObject } from '../types.ts'

/** Whether this is a namespace whose content has not been removed yet. */
export function hasContentFinalizer(kind: Kind, object: KubeObject): boolean {
  return kind.key === namespaces.key && listAt(object, 'spec', 'finalizers').length > 0
}

/** Whether an object that is being deleted is held by nothing any more. */
export function isReleased(kind: Kind, object: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata
  return (
    deletionTimestamp !== undefined &&
    !finalizers?.length &&
    !deletionGracePeriodSeconds &&
    !hasContentFinalizer(kind, object)
  )
}
