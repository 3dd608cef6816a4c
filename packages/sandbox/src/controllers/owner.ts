import type { KindKey, Metadata, OwnerReference } from '../types.ts'
import type { Store } from '../store/store.ts'

type Owned = { metadata: Metadata }

export function controllerOf(object: Owned): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((one) => one.controller)
}

export function controllerReference(owner: {
  apiVersion: string
  kind: string
  metadata: Metadata
}): OwnerReference {
  const { name, uid } = owner.metadata
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  }
}

const byController = 'controller'

/** Makes the objects of a kind findable by the uid of what controls them. */
export function indexByController<T extends Owned>(store: Store, kind: KindKey<T>): void {
  store.addIndex(kind, byController, (object) => {
    const owner = controllerOf(object)
    return owner ? [owner.uid] : []
  })
}

export function controlledBy<T>(store: Store, kind: KindKey<T>, owner: Owned): T[] {
  return store.indexed(kind, byController, owner.metadata.uid)
}

/** `namespace/name`, the key under which controllers queue an object. */
export function queueKey({ metadata }: Owned): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}

export function splitKey(key: string): [namespace: string, name: string] {
  const place = key.indexOf('/')
  return [key.slice(0, place), key.slice(place + 1)]
}
