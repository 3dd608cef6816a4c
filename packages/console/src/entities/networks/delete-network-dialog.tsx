import { entityResourceId } from '@bey/contract'
import type { Network } from '../../data/networks.ts'
import { useChange } from '../../data/use-change.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DeleteImpact } from '../relations/delete-impact.tsx'
import { useDeleteImpact } from '../relations/use-delete-impact.ts'

export interface DeleteNetworkDialogProps {
  network: Network
  onClose: () => void
  onDeleted?: () => void
}

export function DeleteNetworkDialog({ network, onClose, onDeleted }: DeleteNetworkDialogProps) {
  const remove = useChange('networks.delete')
  const failure = remove.error ? errorText('Failed to delete the network', remove.error) : undefined
  const { cidr, subnets } = network
  const { state, confirm, isChecking } = useDeleteImpact(entityResourceId('network', network.id))
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Are you sure you want to delete this network?"
      name={network.name}
      impact={[
        `The plan of ${cidr}, whose addresses are free again`,
        ...(subnets.length === 0 ? [] : [formatCount(subnets.length, 'subnet')]),
      ]}
      action="Delete network"
      busy={remove.isPending || isChecking}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() =>
        void confirm(() =>
          remove.mutate(
            { params: { id: network.id } },
            {
              onSuccess() {
                onClose()
                onDeleted?.()
              },
            },
          ),
        )
      }
    >
      <DeleteImpact {...state} />
    </ConfirmDialog>
  )
}
