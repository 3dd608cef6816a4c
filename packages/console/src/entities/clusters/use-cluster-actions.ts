import type { Cluster } from '@bey/contract'
import { clusterCan, deniedReason } from '@bey/contract'
import { useKubeconfig, useProvisionCluster } from '../../data/clusters.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { downloadText } from '../../lib/download.ts'
import { causeOf, toastCause } from '../../lib/error-text.ts'
import { toast } from '../../ui/toast.ts'
import { kubeconfigFileName } from './cluster-text.ts'

export interface ClusterAction {
  run: () => void
  /** Why it cannot be done now. */
  disabledReason: string | undefined
  isRunning: boolean
}

/** Hours that a kubeconfig's token lives unless one chooses. */
export const defaultTokenHours = 8

/** What can be done with a cluster beside opening and deleting it. */
export function useClusterActions(cluster: Cluster): {
  kubeconfig: ClusterAction
  provision: ClusterAction
  /** Provisions from the failed step on. */
  resume: ClusterAction
  deleteReason: string | undefined
} {
  const role = useRole()
  const stale = useStaleReason()
  const kubeconfig = useKubeconfig()
  const provision = useProvisionCluster()
  const clusterHref = `/kubernetes/clusters/${cluster.id}`
  const provisionBy = (mode: 'from_start' | 'from_failed'): ClusterAction => ({
    isRunning: provision.isPending && provision.variables.mode === mode,
    disabledReason: stale ?? deniedReason(role, 'clusters.provision') ?? clusterCan.provision(cluster),
    run: () =>
      provision.mutate(
        { id: cluster.id, mode },
        {
          onError: (error) =>
            toast('error', `Provision failed: ${causeOf(error)}`, {
              id: `provision-${cluster.id}`,
              href: clusterHref,
            }),
        },
      ),
  })
  return {
    kubeconfig: {
      isRunning: kubeconfig.isPending,
      disabledReason: stale ?? deniedReason(role, 'clusters.kubeconfig') ?? clusterCan.connect(cluster),
      run: () => {
        toast('info', 'Downloading kubeconfig...', { id: `kubeconfig-${cluster.id}`, href: clusterHref })
        kubeconfig.mutate(
          { id: cluster.id, hours: defaultTokenHours },
          {
            onSuccess: (yaml) => downloadText(kubeconfigFileName(cluster), yaml, 'application/yaml'),
            onError: (error) =>
              toast('error', 'Failed to download kubeconfig', {
                id: `kubeconfig-${cluster.id}`,
                ...toastCause(error),
                href: clusterHref,
              }),
          },
        )
      },
    },
    provision: provisionBy('from_start'),
    resume: provisionBy('from_failed'),
    deleteReason: stale ?? deniedReason(role, 'clusters.delete') ?? clusterCan.delete(cluster),
  }
}
