import type { Report } from '@bey/contract'
import { useChange } from '../../data/use-change.ts'
import { errorText } from '../../lib/error-text.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

export interface DeleteReportDialogProps {
  report: Pick<Report, 'id' | 'name' | 'issueCount'>
  onClose: () => void
  onDeleted?: () => void
}

export function DeleteReportDialog({ report, onClose, onDeleted }: DeleteReportDialogProps) {
  const remove = useChange('reports.delete')
  const failure = remove.error ? errorText('Failed to delete the report', remove.error) : undefined
  const finish = () => {
    onClose()
    onDeleted?.()
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Are you sure you want to delete this report with its issues and their links?"
      name={report.name}
      action="Delete report"
      busy={remove.isPending}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() => remove.mutate({ params: { id: report.id } }, { onSuccess: finish })}
    />
  )
}
