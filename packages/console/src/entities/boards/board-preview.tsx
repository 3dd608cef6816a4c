import { deniedReason } from '@bey/contract'
import { Eye, Trash } from 'lucide-react'
import { useRole } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PreviewSkeleton } from '../../ui/preview-skeleton.tsx'
import type { PreviewActionsProps, PreviewProps } from '../preview.ts'
import { DeleteBoardDialog } from './delete-board-dialog.tsx'
import { BoardFacts } from './board-facts.tsx'

export function BoardDetails({ id }: PreviewProps) {
  const query = useRead('boards.get', { params: { id } })
  if (query.data) return <BoardFacts board={query.data} />
  const failure = failureOf('Failed to fetch the board', query)
  return failure ? <ErrorState {...failure} isCompact /> : <PreviewSkeleton />
}

export function BoardActions({ id, onChoose, onAsk }: PreviewActionsProps) {
  const { data } = useRead('boards.get', { params: { id } })
  const denied = deniedReason(useRole(), 'boards.delete')
  return (
    <>
      <Button variant="primary" icon={<Eye size={14} aria-hidden />} onClick={onChoose}>
        View board
      </Button>
      <Button
        icon={<Trash size={14} aria-hidden />}
        disabledReason={data ? denied : 'Loading...'}
        onClick={() => data && onAsk((close) => <DeleteBoardDialog board={data} onClose={close} />)}
      >
        Delete board
      </Button>
    </>
  )
}
