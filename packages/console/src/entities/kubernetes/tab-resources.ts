import { clusterHref } from '../clusters/cluster-text.ts'

/** The resources that a tab of a cluster lists, in the order in which they are offered. */
export const tabResources = {
  services: [
    'services',
    'ingresses.networking.k8s.io',
    'endpointslices.discovery.k8s.io',
    'networkpolicies.networking.k8s.io',
    'ingressclasses.networking.k8s.io',
    'gateways.gateway.networking.k8s.io',
    'httproutes.gateway.networking.k8s.io',
  ],
  storage: [
    'persistentvolumeclaims',
    'persistentvolumes',
    'storageclasses.storage.k8s.io',
    'volumeattachments.storage.k8s.io',
    'csidrivers.storage.k8s.io',
    'csinodes.storage.k8s.io',
    'volumesnapshots.snapshot.storage.k8s.io',
  ],
  config: [
    'configmaps',
    'secrets',
    'horizontalpodautoscalers.autoscaling',
    'poddisruptionbudgets.policy',
    'resourcequotas',
    'limitranges',
    'namespaces',
    'priorityclasses.scheduling.k8s.io',
    'mutatingwebhookconfigurations.admissionregistration.k8s.io',
    'validatingwebhookconfigurations.admissionregistration.k8s.io',
    'leases.coordination.k8s.io',
    'apiservices.apiregistration.k8s.io',
  ],
  roles: [
    'serviceaccounts',
    'roles.rbac.authorization.k8s.io',
    'rolebindings.rbac.authorization.k8s.io',
    'clusterroles.rbac.authorization.k8s.io',
    'clusterrolebindings.rbac.authorization.k8s.io',
  ],
} as const satisfies Record<string, readonly string[]>

/** Where a cluster lists the objects of a resource; of one namespace where one is given. */
export function resourceListHref(
  clusterId: number,
  { resource, kind, namespace = '' }: { resource: string; kind: string; namespace?: string },
): string {
  const { tab, search } = listOf(resource, kind)
  const params = new URLSearchParams({ ...search, ...(namespace === '' ? {} : { namespace }) }).toString()
  return `${clusterHref(clusterId, tab)}${params && `?${params}`}`
}

// Replica sets are among them only where no deployment owns them.
const listedAsWorkloads: ReadonlySet<string> = new Set([
  'deployments.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
  'cronjobs.batch',
])

function listOf(resource: string, kind: string): { tab: string; search: Record<string, string> } {
  if (resource === 'pods' || resource === 'nodes' || resource === 'events')
    return { tab: resource, search: {} }
  if (listedAsWorkloads.has(resource)) return { tab: 'workloads', search: { type: kind } }
  const isOf = (tab: keyof typeof tabResources) => (tabResources[tab] as readonly string[]).includes(resource)
  if (isOf('roles')) return { tab: 'access', search: { tab: 'roles', type: resource } }
  const tab = (['services', 'storage', 'config'] as const).find(isOf)
  // A list of custom resources takes any resource that the address names.
  return { tab: tab ?? 'custom', search: { type: resource } }
}
