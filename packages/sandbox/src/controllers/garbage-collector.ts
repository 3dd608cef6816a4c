import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import type { Kind } from '../registry/kind.ts'
import { events, leases, type KubeObject, type OwnerReference } from '../types.ts'
import type { Controller } from './controller.ts'
import { createDependents, placeId, placeOf } from './dependents.ts'
import { WorkQueue } from './work-queue.ts'

const foreground = 'foregroundDeletion'
const orphan = 'orphan'

/** Deletes what its owners have left behind, and settles foreground and orphaning deletions. */
export function runGarbageCollector(cluster: Cluster): Controller {
  const { store, registry, resources } = cluster
  const { find, idsOf, dependentsOf, record } = createDependents(cluster)

  function ownerObject(owner: OwnerReference, namespace: string | undefined): KubeObject | undefined {
    const kind = registry.byType(owner.apiVersion, owner.kind)
    if (!kind) return undefined
    const found = store.find(kind.key, kind.namespaced ? namespace : undefined, owner.name)
    return found?.metadata.uid === owner.uid ? found : undefined
  }

  function dropFinalizer(kind: Kind, object: KubeObject, finalizer: string): void {
    const { namespace, name } = object.metadata
    resources.update(
      kind,
      namespace,
      name,
      (copy) => {
        copy.metadata.finalizers = copy.metadata.finalizers?.filter((one) => one !== finalizer)
        if (copy.metadata.finalizers?.length === 0) delete copy.metadata.finalizers
      },
      { subresource: 'all' },
    )
  }

  function settleDeletion(kind: Kind, object: KubeObject): void {
    const { uid, finalizers = [] } = object.metadata
    const below = dependentsOf(uid)
    if (finalizers.includes(orphan)) {
      for (const one of below) {
        resources.update(
          one.kind,
          one.place.namespace,
          one.place.name,
          (copy) => {
            copy.metadata.ownerReferences = copy.metadata.ownerReferences?.filter(
              (owner) => owner.uid !== uid,
            )
            if (copy.metadata.ownerReferences?.length === 0) delete copy.metadata.ownerReferences
          },
          { subresource: 'all' },
        )
      }
      dropFinalizer(kind, object, orphan)
    } else if (finalizers.includes(foreground)) {
      const blocking = below.filter(({ object: one }) =>
        one.metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.blockOwnerDeletion),
      )
      for (const one of below) {
        if (one.object.metadata.deletionTimestamp) continue
        deleteObject(resources, one.kind, one.place.namespace, one.place.name, { propagation: 'Foreground' })
      }
      if (blocking.every((one) => !find(one.place))) dropFinalizer(kind, object, foreground)
    }
  }

  function collect(kind: Kind, object: KubeObject): void {
    const owners = object.metadata.ownerReferences ?? []
    if (owners.length === 0 || object.metadata.deletionTimestamp) return
    const alive = owners.filter((owner) => {
      const found = ownerObject(owner, object.metadata.namespace)
      return found !== undefined
    })
    // An owner of a kind that nobody serves cannot be looked up, and is left in peace.
    const isUnknown = owners.some((owner) => !registry.byType(owner.apiVersion, owner.kind))
    if (alive.length > 0 || isUnknown) return
    deleteObject(resources, kind, object.metadata.namespace, object.metadata.name, {
      propagation: 'Background',
    })
  }

  const queue = new WorkQueue(
    cluster.clock,
    (id) => {
      const parts: unknown = JSON.parse(id)
      if (!Array.isArray(parts)) return
      const [key, namespace, name] = parts.map(String)
      const kind = registry.byKey(key ?? '')
      const object = kind && store.find(kind.key, namespace, name ?? '')
      if (!object) return
      if (object.metadata.deletionTimestamp) settleDeletion(kind, object)
      else collect(kind, object)
    },
    cluster.report,
  )

  for (const key of store.kinds()) {
    if (key === events.key) continue
    for (const object of store.all(key)) {
      record(key, object, false)
      if (object.metadata.ownerReferences || object.metadata.deletionTimestamp)
        queue.add(placeId(placeOf(key, object)))
    }
  }
  const stop = store.subscribe('*', ({ type, kind, object, old }) => {
    // Events belong to nobody, and a heartbeat changes nothing here.
    if (kind === events.key || (kind === leases.key && type === 'MODIFIED')) return
    record(kind, object, type === 'DELETED')
    if (type === 'DELETED') {
      for (const id of idsOf(object.metadata.uid)) queue.add(id)
      // A foreground deletion may have waited for this one.
      for (const owner of object.metadata.ownerReferences ?? []) {
        const above = ownerObject(owner, object.metadata.namespace)
        const ownerKind = registry.byType(owner.apiVersion, owner.kind)
        if (above && ownerKind) queue.add(placeId(placeOf(ownerKind.key, above)))
      }
    } else if (object.metadata.finalizers?.length && object.metadata.deletionTimestamp) {
      queue.add(placeId(placeOf(kind, object)))
    } else if (
      object.metadata.ownerReferences &&
      object.metadata.ownerReferences.length !== (old?.metadata.ownerReferences?.length ?? 0)
    ) {
      queue.add(placeId(placeOf(kind, object)))
    }
  })
  return {
    stop() {
      stop()
      queue.stop()
    },
  }
}
