import type { Alert } from '../../data/alerts.ts'
import { useChange } from '../../data/use-change.ts'
import { errorText } from '../../lib/error-text.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

export interface DeleteAlertDialogProps {
  alert: Alert
  onClose: () => void
  onDeleted?: () => void
}

export function DeleteAlertDialog({ alert, onClose, onDeleted }: DeleteAlertDialogProps) {
  const remove = useChange('alerts.delete')
  const failure = remove.error ? errorText('Failed to delete the alert', remove.error) : undefined
  const finish = () => {
    onClose()
    onDeleted?.()
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Are you sure you want to delete this alert?"
      name={alert.name}
      action="Delete alert"
      busy={remove.isPending}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() => remove.mutate({ params: { id: alert.id } }, { onSuccess: finish })}
    />
  )
}
