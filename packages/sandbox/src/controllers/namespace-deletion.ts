import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import { clone } from '../json.ts'
import type { Kind } from '../registry/kind.ts'
import { namespaces, type Namespace } from '../types.ts'
import { withCondition } from './conditions.ts'

/** What is still in a namespace, as lines for its conditions. */
type Remains = { resources: string[]; finalizers: string[] }

function deleteContent(cluster: Cluster, name: string): Remains {
  const { store, resources, registry } = cluster
  const counts = new Map<string, number>()
  const holders = new Map<string, number>()
  const deleteAll = (kind: Kind) => {
    let left = 0
    for (const object of store.all(kind.key, name)) {
      if (!object.metadata.deletionTimestamp) {
        deleteObject(resources, kind, name, object.metadata.name, { propagation: 'Background' })
      }
      const rest = store.find(kind.key, name, object.metadata.name)
      if (!rest) continue
      left += 1
      for (const one of rest.metadata.finalizers ?? []) holders.set(one, (holders.get(one) ?? 0) + 1)
    }
    if (left > 0) counts.set(`${kind.resource}.${kind.group}`, left)
  }
  for (const key of store.kinds()) {
    const kind = registry.byKey(key)
    if (kind?.namespaced) deleteAll(kind)
  }
  return {
    resources: [...counts].map(([what, count]) => `${what} has ${count} resource instances`).toSorted(),
    finalizers: [...holders].map(([what, count]) => `${what} in ${count} resource instances`).toSorted(),
  }
}

/** The conditions of a namespace on its way out, in the words of Kubernetes' own controller. */
function conditionsFor({ resources, finalizers }: Remains) {
  const fine = (type: string, reason: string, message: string) => ({ type, status: 'False', reason, message })
  return [
    fine('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    fine(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    fine(
      'NamespaceDeletionContentFailure',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    resources.length === 0
      ? fine('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed')
      : {
          type: 'NamespaceContentRemaining',
          status: 'True',
          reason: 'SomeResourcesRemain',
          message: `Some resources are remaining: ${resources.join(', ')}`,
        },
    finalizers.length === 0
      ? fine(
          'NamespaceFinalizersRemaining',
          'ContentHasNoFinalizers',
          'All content-preserving finalizers finished',
        )
      : {
          type: 'NamespaceFinalizersRemaining',
          status: 'True',
          reason: 'SomeFinalizersRemain',
          message: `Some content in the namespace has finalizers remaining: ${finalizers.join(', ')}`,
        },
  ]
}

/** Empties a namespace that is being deleted and lets it go; says in its conditions what holds it meanwhile. */
export function emptyNamespace(
  cluster: Cluster,
  namespace: Namespace,
  again: (delayMs: number) => void,
): void {
  const { store, resources, clock } = cluster
  const { name, finalizers = [] } = namespace.metadata
  const remains = deleteContent(cluster, name)
  const isEmpty = remains.resources.length === 0
  if (isEmpty && finalizers.length === 0) {
    store.remove(namespaces.key, undefined, name)
    return
  }
  const current = resources.changeStatus(namespaces, namespace, (draft) => {
    let conditions = draft.status?.conditions
    for (const one of conditionsFor(remains)) conditions = withCondition(conditions, one, clock.now())
    draft.status = { ...draft.status, conditions }
  })
  if (!isEmpty) again(250 / cluster.speed)
  else if (current?.spec?.finalizers?.length) {
    // Its own work is done; now the namespace waits for those who hold its metadata.
    const done = clone(store.find(namespaces.key, undefined, name) ?? current)
    Object.assign(done, { spec: {} })
    store.write(namespaces.key, done)
  }
}
