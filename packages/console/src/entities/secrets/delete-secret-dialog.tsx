import type { Secret } from '@bey/contract'
import { entityResourceId, secretLimits } from '@bey/contract'
import { errorText } from '../../lib/error-text.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { DeleteImpact } from '../relations/delete-impact.tsx'
import { useDeleteImpact } from '../relations/use-delete-impact.ts'
import { useChange } from '../../data/use-change.ts'

/** Names what uses the secret before it is deleted, and until when that can be taken back. */
export function DeleteSecretDialog({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const remove = useChange('secrets.delete')
  const failure = remove.error ? errorText('Failed to delete secret', remove.error) : undefined
  const { state, confirm, isChecking } = useDeleteImpact(entityResourceId('secret', secret.id))
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Are you sure you want to delete this secret?"
      name={secret.name}
      impactTitle={`It can be restored for ${secretLimits.deletionDays} days. Until then:`}
      impact={[
        'Its value can be neither revealed nor used',
        `After ${secretLimits.deletionDays} days all its versions are wiped`,
      ]}
      action="Delete secret"
      busy={remove.isPending || isChecking}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() =>
        void confirm(() => remove.mutate({ params: { id: secret.id } }, { onSuccess: onClose }))
      }
    >
      <DeleteImpact {...state} />
    </ConfirmDialog>
  )
}
