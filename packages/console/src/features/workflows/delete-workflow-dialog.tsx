import type { Workflow } from '@bey/contract'
import { entityResourceId, workflowDeletionDays } from '@bey/contract'
import { useList } from '../../data/use-read.ts'
import { useChange } from '../../data/use-change.ts'
import { DeleteImpact } from '../../entities/relations/delete-impact.tsx'
import { useDeleteImpact } from '../../entities/relations/use-delete-impact.ts'
import { workflowHref } from '../../entities/workflows/workflow-text.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'

export interface DeleteWorkflowDialogProps {
  workflow: Workflow
  onClose: () => void
  onDeleted: () => void
}

/** Names what goes with a workflow before it is deleted; its name is typed. One that is deleted already goes for good. */
export function DeleteWorkflowDialog({ workflow, onClose, onDeleted }: DeleteWorkflowDialogProps) {
  const remove = useChange('workflows.delete')
  const isPermanent = workflow.purgeAt !== null
  const { state, confirm, isChecking } = useDeleteImpact(entityResourceId('workflow', workflow.id))
  const runs = useList('workflows.runs', { params: { id: workflow.id }, query: { page: 1 } })
  const failure = remove.error ? errorText('Failed to delete workflow', remove.error) : undefined
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={
        isPermanent
          ? 'Are you sure you want to delete this workflow for good?'
          : 'Are you sure you want to delete this workflow?'
      }
      name={workflow.name}
      {...(isPermanent
        ? {}
        : {
            impactTitle: `Its triggers stop at once. For ${workflowDeletionDays} days it can be restored with`,
          })}
      impact={[
        formatCount(workflow.version, 'version'),
        runs.data
          ? formatCount(runs.data.total, 'run with its log', 'runs with their logs')
          : 'Its runs and their logs',
        'Its schedules, webhooks and event rules',
      ]}
      action={isPermanent ? 'Delete for good' : 'Delete workflow'}
      mustTypeName
      busy={remove.isPending || isChecking}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() =>
        void confirm(() =>
          remove.mutate(
            { params: { id: workflow.id }, ...(isPermanent ? { query: { permanent: 'true' } } : {}) },
            {
              onSuccess: () => {
                if (isPermanent) toast('success', `${workflow.name} deleted for good`)
                else
                  toast('success', `${workflow.name} deleted`, {
                    description: `It can be restored for ${workflowDeletionDays} days.`,
                    href: workflowHref(workflow.id),
                  })
                onDeleted()
              },
            },
          ),
        )
      }
    >
      {/* One that is deleted already is not in the graph any more. */}
      {isPermanent ? null : <DeleteImpact {...state} />}
    </ConfirmDialog>
  )
}
