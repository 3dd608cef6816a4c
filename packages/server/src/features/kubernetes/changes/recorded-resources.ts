import { kubernetesPath, resourceName } from '@bey/contract'
import type { WatchedResource } from '../watch/resource-rows.ts'

type Recorded = WatchedResource & { kind: string }

const clusterScoped = new Set([
  'namespaces',
  'clusterroles',
  'clusterrolebindings',
  'storageclasses',
  'customresourcedefinitions',
])

function recorded(kind: string, plural: string, group = '', version = 'v1'): Recorded {
  const isNamespaced = !clusterScoped.has(plural)
  return {
    kind,
    name: resourceName(plural, group),
    path: kubernetesPath({ group, version, plural }),
    isNamespaced,
  }
}

/** Resources whose changes are kept: what people and deployments write. Never Secrets, nor what only reports. */
export const recordedResources: readonly Recorded[] = [
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

export function isRecorded(resource: string): boolean {
  return recordedResources.some(({ name }) => name === resource)
}
