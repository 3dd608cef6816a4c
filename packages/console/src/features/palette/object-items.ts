import type { FoundObject } from '@bey/contract'
import { objectPath } from '@bey/contract'
import type { PaletteItems } from './item.ts'

/** An object of a cluster as the palette lists it. */
export function objectItem(object: FoundObject): PaletteItems['object'] {
  const { clusterId, cluster, resource, kind, namespace, name } = object
  return {
    id: `object:${clusterId}/${resource}/${namespace}/${name}`,
    type: 'object',
    title: name,
    description: [kind, namespace, cluster].filter(Boolean).join(' · '),
    category: kind,
    group: 'objects',
    shortcuts: [],
    path: objectPath({ clusterId, resource, namespace, name }),
    object,
  }
}
