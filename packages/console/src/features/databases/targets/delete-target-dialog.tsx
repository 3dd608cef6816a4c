import type { BackupTarget } from '@bey/contract'
import { useChange } from '../../../data/use-change.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

/** Asks before a bucket is forgotten. What is in it stays. */
export function DeleteTargetDialog({ target, onClose }: { target: BackupTarget; onClose: () => void }) {
  const remove = useChange('databases.backupTargets.delete')
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Delete this backup target?"
      name={target.name}
      impactTitle="The bucket and what is in it stay as they are. Bey removes:"
      impact={['How it is reached, with its secret access key']}
      action="Delete target"
      busy={remove.isPending}
      error={remove.error ? causeOf(remove.error) : undefined}
      onConfirm={() => remove.mutate({ params: { id: target.id } }, { onSuccess: onClose })}
    />
  )
}
