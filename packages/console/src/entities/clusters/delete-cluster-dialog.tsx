import type { Cluster } from '@bey/contract'
import { entityResourceId } from '@bey/contract'
import { useDeleteCluster } from '../../data/clusters.ts'
import { useClusterOverview } from '../../data/kubernetes.ts'
import { useRead } from '../../data/use-read.ts'
import { errorText } from '../../lib/error-text.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useNetworkImpact } from '../networks/network-membership.tsx'
import { DeleteImpact } from '../relations/delete-impact.tsx'
import { useDeleteImpact } from '../relations/use-delete-impact.ts'
import { isImported } from './cluster-text.ts'
import { deletionImpact, disconnectImpact } from './deletion-impact.ts'

export interface DeleteClusterDialogProps {
  cluster: Cluster
  onClose: () => void
}

/** Asks for the cluster's name after listing what goes with it, counted where it can be counted. */
export function DeleteClusterDialog({ cluster, onClose }: DeleteClusterDialogProps) {
  const remove = useDeleteCluster()
  const overview = useClusterOverview(cluster.id, cluster.status === 'RUNNING')
  const references = useRead('clusters.references', { params: { id: cluster.id } }, { becomesOld: 'now' })
  const ofNetworks = useNetworkImpact({ clusterId: cluster.id })
  const isLeft = isImported(cluster)
  const { state, confirm, isChecking } = useDeleteImpact(entityResourceId('cluster', cluster.id))
  const failure = remove.error
    ? errorText(isLeft ? 'Failed to disconnect cluster' : 'Failed to delete cluster', remove.error)
    : undefined
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={
        isLeft
          ? 'Are you sure you want to disconnect this cluster?'
          : 'Are you sure you want to delete this cluster?'
      }
      name={cluster.title}
      {...(isLeft
        ? {
            impactTitle: 'Nothing is changed in the cluster. Bey removes:',
            impact: [...disconnectImpact(cluster, references.data), ...ofNetworks],
          }
        : { impact: [...deletionImpact(cluster, overview.data, references.data), ...ofNetworks] })}
      action={isLeft ? 'Disconnect cluster' : 'Delete cluster'}
      mustTypeName
      busy={remove.isPending || isChecking}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() => void confirm(() => remove.mutate(cluster.id, { onSuccess: onClose }))}
    >
      {/* A cluster that is disconnected goes on as it is. */}
      {isLeft ? null : <DeleteImpact {...state} isListedAbove />}
    </ConfirmDialog>
  )
}
