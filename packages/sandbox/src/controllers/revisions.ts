import type { Cluster } from '../api/context.ts'
import { clone, equal, stable } from '../json.ts'
import { hashSuffix } from '../random.ts'
import { controllerRevisions, type ControllerRevision, type Metadata, type PodTemplate } from '../types.ts'
import { controlledBy, controllerReference } from './owner.ts'

export const revisionHashLabel = 'controller-revision-hash'

type Owner = {
  apiVersion: string
  kind: string
  metadata: Metadata
  spec: { selector: { matchLabels?: Record<string, string> } }
}

/** The revision of a template, found again or made with the next number. */
export function ensureRevision(cluster: Cluster, owner: Owner, template: PodTemplate): ControllerRevision {
  const { store, resources } = cluster
  const data = { spec: { template: { ...clone(template), $patch: 'replace' } } }
  const all = controlledBy(store, controllerRevisions, owner)
  const highest = Math.max(0, ...all.map((one) => one.revision))
  const found = all.find((one) => equal(one.data, data))
  if (found) {
    if (found.revision === highest) return found
    return (
      resources.change(controllerRevisions, found, (draft) => {
        draft.revision = highest + 1
      }) ?? found
    )
  }
  const hash = hashSuffix(stable(template))
  return resources.make<ControllerRevision>(controllerRevisions, owner.metadata.namespace, {
    metadata: {
      name: `${owner.metadata.name}-${hash}`,
      labels: { ...template.metadata?.labels, [revisionHashLabel]: hash },
      ownerReferences: [controllerReference(owner)],
    },
    data,
    revision: highest + 1,
  })
}

/** Drops the oldest revisions that nobody runs, beyond a limit. */
export function trimRevisions(cluster: Cluster, owner: Owner, used: readonly string[], limit: number): void {
  const idle = controlledBy(cluster.store, controllerRevisions, owner)
    .filter((one) => !used.includes(one.metadata.name))
    .toSorted((a, b) => a.revision - b.revision)
  for (const one of idle.slice(0, Math.max(0, idle.length - limit))) {
    cluster.store.remove(controllerRevisions.key, one.metadata.namespace, one.metadata.name)
  }
}
