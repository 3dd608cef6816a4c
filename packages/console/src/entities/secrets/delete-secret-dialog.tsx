import type { Secret } from '@bey/contract'
import { secretLimits } from '@bey/contract'
import { useDeleteSecret } from '../../data/secrets.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

/** Names what uses the secret before it is deleted, and until when that can be taken back. */
export function DeleteSecretDialog({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const remove = useDeleteSecret()
  const failure = remove.error ? errorText('Failed to delete secret', remove.error) : undefined
  const uses = secret.usedByCount
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Are you sure you want to delete this secret?"
      name={secret.name}
      impactTitle={`It can be restored for ${secretLimits.deletionDays} days. Until then:`}
      impact={[
        'Its value can be neither revealed nor used',
        uses === 0 ? 'Nothing is known to use it' : `${formatCount(uses, 'thing')} that use it will fail`,
        `After ${secretLimits.deletionDays} days all its versions are wiped`,
      ]}
      action="Delete secret"
      busy={remove.isPending}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() => remove.mutate(secret.id, { onSuccess: onClose })}
    />
  )
}
