import type { ApiKey } from '@bey/contract'
import { EditDialog } from './edit-dialog.tsx'
import type { KeyAct } from './api-key-menu.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'

/** The dialog of what is done with a key. */
export function KeyDialog({ apiKey, act, onClose }: { apiKey: ApiKey; act: KeyAct; onClose: () => void }) {
  switch (act) {
    case 'edit':
      return <EditDialog apiKey={apiKey} onClose={onClose} />
    case 'rotate':
      return <RotateDialog apiKey={apiKey} onClose={onClose} />
    case 'revoke':
      return <RevokeDialog apiKey={apiKey} onClose={onClose} />
  }
}
