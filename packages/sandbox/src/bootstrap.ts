import type { Cluster } from './api/context.ts'
import { createDefaultRoles } from './authz/default-roles.ts'
import {
  endpoints,
  namespaces,
  priorityClasses,
  serviceRanges,
  services,
  storageClasses,
  type Namespace,
} from './types.ts'

const kubernetesAddress = '10.96.0.1'
const serviceRange = '10.96.0.0/16'

/** Makes what every cluster has from its first moment, where it is missing. */
export function bootstrap(cluster: Cluster, port: number): void {
  const { store, resources } = cluster
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
    if (!store.get(namespaces, undefined, name))
      resources.make<Namespace>(namespaces, undefined, { metadata: { name } })
  }
  createDefaultRoles(resources)
  const priorities: [string, number][] = [
    ['system-cluster-critical', 2_000_000_000],
    ['system-node-critical', 2_000_001_000],
  ]
  for (const [name, value] of priorities) {
    if (!store.get(priorityClasses, undefined, name))
      resources.make(priorityClasses, undefined, { metadata: { name }, value })
  }
  if (!store.get(serviceRanges, undefined, 'kubernetes'))
    resources.make(serviceRanges, undefined, {
      metadata: { name: 'kubernetes' },
      spec: { cidrs: [serviceRange] },
    })
  if (!store.get(services, 'default', 'kubernetes')) {
    resources.make(services, 'default', {
      metadata: { name: 'kubernetes', labels: { component: 'apiserver', provider: 'kubernetes' } },
      spec: {
        clusterIP: kubernetesAddress,
        ports: [{ name: 'https', port: 443, targetPort: port, protocol: 'TCP' }],
      },
    })
  }
  if (!store.get(endpoints, 'default', 'kubernetes')) {
    resources.make(endpoints, 'default', {
      metadata: { name: 'kubernetes', labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ name: 'https', port, protocol: 'TCP' }] }],
    })
  }
  if (!store.get(storageClasses, undefined, 'standard')) {
    resources.make(storageClasses, undefined, {
      metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'rancher.io/local-path',
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
    })
  }
}
