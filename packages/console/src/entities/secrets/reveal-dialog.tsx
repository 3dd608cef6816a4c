import type { Secret } from '@bey/contract'
import { useRole } from '../../data/session.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { RevealForm } from './reveal-form.tsx'
import { revealReason } from './reveal-reason.ts'

export interface RevealDialogProps {
  secret: Secret
  version?: number
  onClose: () => void
}

/** Shows or copies a value from a list. */
export function RevealDialog({ secret, version, onClose }: RevealDialogProps) {
  const reason = revealReason(secret, useRole())
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={version === undefined ? 'Reveal value' : `Reveal version ${version}`}
      description={secret.name}
    >
      <RevealForm
        secret={secret}
        disabledReason={reason}
        onCopied={onClose}
        {...(version === undefined ? {} : { version })}
      />
    </Dialog>
  )
}
