import type { Secret } from '@bey/contract'
import { Dialog } from '../../ui/dialog.tsx'
import { ShareForm } from './share-form.tsx'

/** Gives the value of a secret to somebody by a link that opens once. */
export function ShareDialog({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Share by link"
      description={`The value of ${secret.name}, once, to anyone who has the link.`}
      isModalStrict
    >
      <ShareForm secret={{ id: secret.id, name: secret.name }} onClose={onClose} />
    </Dialog>
  )
}
