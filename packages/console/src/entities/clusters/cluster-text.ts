import type { Cluster, ClusterProviderId } from '@bey/contract'
import { entityHref } from '@bey/contract'

/** Always shown, so that nobody takes a sandbox's simulated figures for measured ones. */
export const providerLabels: Readonly<Record<ClusterProviderId, string>> = {
  sandbox: 'Sandbox',
  kubeconfig: 'Imported',
}

/** One that exists without Bey: it is disconnected, never deleted. */
export const isImported = ({ provider }: Pick<Cluster, 'provider'>): boolean => provider === 'kubeconfig'

export const clusterHref = (id: number, tab?: string) =>
  `${entityHref({ type: 'cluster', id: String(id) })}${tab === undefined ? '' : `/${tab}`}`

/** Whether an operation is under way on it, so that its run is what one wants to see. */
export function isBusy(cluster: Cluster): boolean {
  return cluster.status === 'PENDING' || cluster.status === 'CREATING' || cluster.status === 'UPDATING'
}

/** The file that a downloaded kubeconfig is saved as. */
export const kubeconfigFileName = (cluster: Pick<Cluster, 'title'>) => `${cluster.title}.kubeconfig`
