import { kubernetesPath, resourceName } from '@bey/contract'
import type { WatchedResource } from '../watch/resource-rows.ts'

/** What is recorded of a cluster, and of which kind it is. */
export type RecordedResource = WatchedResource & { kind: string }

const clusterScoped = new Set([
  'nodes',
  'namespaces',
  'clusterroles',
  'clusterrolebindings',
  'storageclasses',
  'customresourcedefinitions',
])

function recorded(kind: string, plural: string, group = '', version = 'v1'): RecordedResource {
  const isNamespaced = !clusterScoped.has(plural)
  return {
    kind,
    name: resourceName(plural, group),
    path: kubernetesPath({ group, version, plural }),
    isNamespaced,
  }
}

/** Resources whose changes are kept: what people and deployments write. Never Secrets, nor what only reports. */
export const recordedResources: readonly RecordedResource[] = [
  recorded('Deployment', 'deployments', 'apps'),
  recorded('StatefulSet', 'statefulsets', 'apps'),
  recorded('DaemonSet', 'daemonsets', 'apps'),
  recorded('CronJob', 'cronjobs', 'batch'),
  recorded('Service', 'services'),
  recorded('ConfigMap', 'configmaps'),
  recorded('Namespace', 'namespaces'),
  recorded('ResourceQuota', 'resourcequotas'),
  recorded('LimitRange', 'limitranges'),
  recorded('PersistentVolumeClaim', 'persistentvolumeclaims'),
  recorded('Ingress', 'ingresses', 'networking.k8s.io'),
  recorded('NetworkPolicy', 'networkpolicies', 'networking.k8s.io'),
  recorded('HorizontalPodAutoscaler', 'horizontalpodautoscalers', 'autoscaling', 'v2'),
  recorded('PodDisruptionBudget', 'poddisruptionbudgets', 'policy'),
  recorded('Role', 'roles', 'rbac.authorization.k8s.io'),
  recorded('RoleBinding', 'rolebindings', 'rbac.authorization.k8s.io'),
  recorded('ClusterRole', 'clusterroles', 'rbac.authorization.k8s.io'),
  recorded('ClusterRoleBinding', 'clusterrolebindings', 'rbac.authorization.k8s.io'),
  recorded('StorageClass', 'storageclasses', 'storage.k8s.io'),
  recorded('CustomResourceDefinition', 'customresourcedefinitions', 'apiextensions.k8s.io'),
]

/** Watched in a form of its own, without the reports of kubelets. */
export const nodeResource = recorded('Node', 'nodes')

/** Whether a custom kind may be kept: not where its name says that its objects hold what Secrets do. */
export function mayBeKept({ kind }: { kind: string }): boolean {
  return !/secret|credential|password|token/i.test(kind)
}
