import type { Cluster } from '../api/context.ts'
import type { Kind } from '../registry/kind.ts'
import type { KubeObject } from '../types.ts'

export type Place = { key: string; namespace: string | undefined; name: string }

export function placeOf(key: string, { metadata }: KubeObject): Place {
  return { key, namespace: metadata.namespace, name: metadata.name }
}

export function placeId(place: Place): string {
  return JSON.stringify([place.key, place.namespace ?? '', place.name])
}

/** Knows which objects name another one as their owner, also when the owner is gone. */
export function createDependents({ store, registry }: Pick<Cluster, 'store' | 'registry'>) {
  /** Who depends on an owner, by the owner's uid. */
  const dependents = new Map<string, Map<string, Place>>()
  const known = new Map<string, readonly string[]>()

  const find = ({ key, namespace, name }: Place) => store.find(key, namespace, name)

  return {
    find,

    idsOf: (uid: string): Iterable<string> => dependents.get(uid)?.keys() ?? [],

    dependentsOf(uid: string): { place: Place; object: KubeObject; kind: Kind }[] {
      return [...(dependents.get(uid)?.values() ?? [])].flatMap((place) => {
        const object = find(place)
        const kind = registry.byKey(place.key)
        const isOwned = object?.metadata.ownerReferences?.some((one) => one.uid === uid)
        return object && kind && isOwned ? [{ place, object, kind }] : []
      })
    },

    /** Records the owners that an object names now; none once it is gone. */
    record(key: string, object: KubeObject, isGone: boolean): void {
      const place = placeOf(key, object)
      const id = placeId(place)
      const owners = isGone ? [] : (object.metadata.ownerReferences ?? []).map((one) => one.uid)
      for (const uid of known.get(id) ?? []) {
        if (owners.includes(uid)) continue
        const set = dependents.get(uid)
        set?.delete(id)
        if (set?.size === 0) dependents.delete(uid)
      }
      for (const uid of owners) {
        const set = dependents.get(uid) ?? new Map<string, Place>()
        dependents.set(uid, set.set(id, place))
      }
      if (owners.length > 0) known.set(id, owners)
      else known.delete(id)
    },
  }
}
