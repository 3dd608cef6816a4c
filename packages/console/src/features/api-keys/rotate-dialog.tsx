import type { ApiKey } from '@bey/contract'
import { causeOf } from '../../lib/error-text.ts'
import { OverlapDialog } from '../../ui/overlap-dialog.tsx'
import { ShownToken } from './shown-token.tsx'
import { useChange } from '../../data/use-change.ts'

/** Gives a key a new secret, and shows it once. */
export function RotateDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const rotate = useChange('apiKeys.rotate', { isSecret: true })
  if (rotate.data) return <ShownToken made={rotate.data} onDone={onClose} />
  return (
    <OverlapDialog
      title="Give this key a new secret?"
      name={apiKey.name}
      action="Rotate key"
      label={`The present secret, ${apiKey.start}…`}
      hint={
        apiKey.previousValidUntil
          ? 'The previous secret, which still works, ends at once.'
          : 'Put the new secret in place while both work.'
      }
      verb="works"
      busy={rotate.isPending}
      error={rotate.error ? causeOf(rotate.error) : undefined}
      onConfirm={(hours) => rotate.mutate({ params: { id: apiKey.id }, body: { overlapHours: hours } })}
      onClose={onClose}
    />
  )
}
