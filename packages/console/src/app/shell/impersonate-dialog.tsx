import { useGodmode } from '../../data/godmode.ts'
import { ImpersonateForm } from '../../features/auth/impersonate-form.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** Impersonates a user without logging out: the tester returns to their own session afterwards. */
export default function ImpersonateDialog({ onClose }: { onClose: () => void }) {
  const warning = useGodmode(true)?.warning
  return (
    <Dialog open onOpenChange={onClose} title="Impersonate a user" description={warning}>
      <ImpersonateForm onEntered={() => location.assign('/')} />
    </Dialog>
  )
}
