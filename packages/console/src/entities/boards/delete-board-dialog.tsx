import type { Board } from '../../data/boards.ts'
import { useChange } from '../../data/use-change.ts'
import { errorText } from '../../lib/error-text.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

export interface DeleteBoardDialogProps {
  board: Board
  onClose: () => void
  onDeleted?: () => void
}

export function DeleteBoardDialog({ board, onClose, onDeleted }: DeleteBoardDialogProps) {
  const remove = useChange('boards.delete')
  const failure = remove.error ? errorText('Failed to delete the board', remove.error) : undefined
  const finish = () => {
    onClose()
    onDeleted?.()
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Are you sure you want to delete this board?"
      name={board.name}
      action="Delete board"
      busy={remove.isPending}
      error={failure ? [failure.title, failure.detail].filter(Boolean).join(': ') : undefined}
      onConfirm={() => remove.mutate({ params: { id: board.id } }, { onSuccess: finish })}
    />
  )
}
