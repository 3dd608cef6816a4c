import type { Network } from '../../data/networks.ts'
import { useChange } from '../../data/use-change.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

export interface DeleteNetworkDialogProps {
  network: Network
  onClose: () => void
  onDeleted?: () => void
}

export function DeleteNetworkDialog({ network, onClose, onDeleted }: DeleteNetworkDialogProps) {
  const remove = useChange('networks.delete')
  const failure = remove.error ? errorText('Failed to delete the network', remove.error) : undefined
  const { cidr, subnets } = network
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
      busy={remove.isPending}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() =>
        remove.mutate(
          { params: { id: network.id } },
          {
            onSuccess() {
              onClose()
              onDeleted?.()
            },
          },
        )
      }
    />
  )
}
