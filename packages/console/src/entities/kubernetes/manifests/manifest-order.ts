import type { ManifestDocument } from '../yaml/manifest-documents.ts'
import { isFree } from '../yaml/text-problem.ts'

/** What others need comes first: namespaces, definitions of kinds, rights, configuration; what acts on others last. */
const ranks: readonly (readonly string[])[] = [
  ['Namespace'],
  ['CustomResourceDefinition'],
  ['PriorityClass', 'StorageClass', 'IngressClass', 'RuntimeClass', 'ResourceQuota', 'LimitRange'],
  ['ServiceAccount', 'ClusterRole', 'Role'],
  ['ClusterRoleBinding', 'RoleBinding'],
  ['ConfigMap', 'Secret', 'PersistentVolume', 'PersistentVolumeClaim', 'NetworkPolicy'],
  ['Service'],
]
const lastKinds = [
  'HorizontalPodAutoscaler',
  'PodDisruptionBudget',
  'Ingress',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
]

/** The documents in the order in which they are applied; equals keep their place. */
export function inApplyOrder(documents: readonly ManifestDocument[]): ManifestDocument[] {
  return documents.toSorted((a, b) => rankOf(a.kind) - rankOf(b.kind))
}

function rankOf(kind: string): number {
  const rank = ranks.findIndex((kinds) => kinds.includes(kind))
  if (rank >= 0) return rank
  return lastKinds.includes(kind) ? ranks.length + 1 : ranks.length
}

/** Kinds that a manifest itself defines, as `group/Kind`: they are served only once their definition is applied. */
export function definedKinds(documents: readonly ManifestDocument[]): Set<string> {
  return new Set(
    documents.flatMap(({ kind, object }) => {
      const spec = kind === 'CustomResourceDefinition' && isFree(object['spec']) ? object['spec'] : {}
      const names = isFree(spec['names']) ? spec['names'] : {}
      return typeof spec['group'] === 'string' && typeof names['kind'] === 'string'
        ? [`${spec['group']}/${names['kind']}`]
        : []
    }),
  )
}
