import type { ActionValues } from './action.ts'
import { ActionDialog } from './action-dialog.tsx'
import type { Asked } from './action-host.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { DrainDialog } from './drain-dialog.tsx'
import { LabelsDialog } from './labels-dialog.tsx'
import { RollbackDialog } from './rollback-dialog.tsx'

export interface QuestionProps {
  asked: Asked
  onClose: () => void
  onConfirm: (values: ActionValues) => void
  onDone: (done: { text: string; kubectl: string; next: string | undefined }) => void
}

/** What an action asks before it is done: in the dialog of its kind, or of several objects. */
export function ActionQuestion({ asked, onClose, onConfirm, onDone }: QuestionProps) {
  const { action, addresses } = asked
  const [address] = addresses
  if (!address) return null
  if (addresses.length > 1) return <BulkDialog {...asked} onClose={onClose} onConfirm={onConfirm} />
  const shared = { address, onClose, onDone }
  if (action.form === 'fields') return <ActionDialog action={action} {...shared} />
  switch (action.id) {
    case 'rollback':
      return <RollbackDialog {...shared} />
    case 'labels':
      return <LabelsDialog {...shared} />
    case 'drain':
      return <DrainDialog {...shared} />
    case 'delete':
      return <DeleteDialog {...shared} />
    default:
      throw new Error(`The action "${action.id}" has no dialog`)
  }
}
