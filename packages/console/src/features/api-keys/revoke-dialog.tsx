import type { ApiKey } from '@bey/contract'
import { causeOf } from '../../lib/error-text.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { toast } from '../../ui/toast.ts'
import { useChange } from '../../data/use-change.ts'

/** Ends a key for good. */
export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useChange('apiKeys.revoke')
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Are you sure you want to revoke this key?"
      name={apiKey.name}
      impactTitle="What uses it is refused within a second:"
      impact={[
        apiKey.lastUsedAt ? (
          <>
            Last used <RelativeTime at={apiKey.lastUsedAt} /> from {apiKey.lastUsedIp ?? 'an unknown address'}
          </>
        ) : (
          'It was never used'
        ),
        'Its open sockets, watches and logs are closed',
      ]}
      action="Revoke key"
      busy={revoke.isPending}
      error={revoke.error ? causeOf(revoke.error) : undefined}
      onConfirm={() =>
        revoke.mutate(
          { params: { id: apiKey.id } },
          {
            onSuccess: () => {
              toast('success', `${apiKey.name} is revoked`)
              onClose()
            },
          },
        )
      }
    />
  )
}
