import { useLeaveQuestion } from '../lib/unsaved.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** Asks before what was typed is lost, whichever way one is about to leave. */
export function LeaveDialog() {
  const question = useLeaveQuestion()
  const stay = () => question?.answer(false)
  return (
    <Dialog
      open={question !== undefined}
      onOpenChange={(open) => (open ? undefined : stay())}
      title="Leave without saving?"
      description={question ? `Not saved yet, and lost if you leave: ${question.lost.join(', ')}.` : ''}
      size="small"
      footer={
        <>
          <Button onClick={() => question?.answer(true)}>Discard and leave</Button>
          <Button variant="primary" data-initial-focus="" onClick={stay}>
            Keep editing
          </Button>
        </>
      }
    />
  )
}
