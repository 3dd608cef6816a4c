/** What pods read their settings from. */
export const isConfigResource = (resource: string) => resource === 'configmaps' || resource === 'secrets'

/** Stands for the namespace in addresses of objects that belong to none. */
export const noNamespace = '-'

/** A resource as kubectl names it: `pods`, `deployments.apps`. */
export function resourceName(plural: string, group: string): string {
  return group === '' ? plural : `${plural}.${group}`
}

/** A resource name: plural, and the group if it has one. At most 317 characters, as long as Kubernetes allows both. */
export const resourcePattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$/

/** The resources of kinds that many objects refer to by kind alone. */
const knownResources: Readonly<Record<string, string>> = {
  Pod: 'pods',
  Node: 'nodes',
  Namespace: 'namespaces',
  Service: 'services',
  ConfigMap: 'configmaps',
  Secret: 'secrets',
  ServiceAccount: 'serviceaccounts',
  PersistentVolume: 'persistentvolumes',
  PersistentVolumeClaim: 'persistentvolumeclaims',
  ResourceQuota: 'resourcequotas',
  Deployment: 'deployments.apps',
  StatefulSet: 'statefulsets.apps',
  DaemonSet: 'daemonsets.apps',
  ReplicaSet: 'replicasets.apps',
  Job: 'jobs.batch',
  CronJob: 'cronjobs.batch',
  HorizontalPodAutoscaler: 'horizontalpodautoscalers.autoscaling',
  PodDisruptionBudget: 'poddisruptionbudgets.policy',
  Ingress: 'ingresses.networking.k8s.io',
  NetworkPolicy: 'networkpolicies.networking.k8s.io',
  StorageClass: 'storageclasses.storage.k8s.io',
}

/** The resource of a built-in kind; undefined for kinds that need the cluster's own discovery. */
export function resourceOfKind(kind: string): string | undefined {
  return Object.hasOwn(knownResources, kind) ? knownResources[kind] : undefined
}

/** The kind of a built-in resource; undefined for resources that need the cluster's own discovery. */
export function kindOfResource(resource: string): string | undefined {
  return Object.entries(knownResources).find(([, known]) => known === resource)?.[0]
}

/** The kind of a built-in resource by its plural without a group: `deployments` is `Deployment`. */
export function kindOfPlural(plural: string): string | undefined {
  return Object.entries(knownResources).find(([, known]) => known.split('.')[0] === plural)?.[0]
}

export type ObjectAddress = {
  clusterId: number
  resource: string
  /** Empty for what belongs to no namespace. */
  namespace: string
  name: string
}

/** Where an object has its page. */
export function objectPath({ clusterId, resource, namespace, name }: ObjectAddress, tab?: string): string {
  const path = [resource, namespace || noNamespace, name].map(encodeURIComponent).join('/')
  return `/kubernetes/clusters/${clusterId}/objects/${path}${tab ? `?tab=${tab}` : ''}`
}

/** Where the API server keeps a resource, or one object of it. */
export function kubernetesPath(
  { group, version, plural }: { group: string; version: string; plural: string },
  namespace = '',
  name = '',
): string {
  const api = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const scope = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`
  return `${api}${scope}/${plural}${name === '' ? '' : `/${encodeURIComponent(name)}`}`
}
