import { useBlocker } from '@tanstack/react-router'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** Asks before what was typed is lost by leaving the page. */
export function LeaveGuard({ isActive }: { isActive: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => isActive,
    enableBeforeUnload: () => isActive,
    withResolver: true,
  })
  const isAsking = blocker.status === 'blocked'
  const stay = () => blocker.reset?.()
  return (
    <Dialog
      open={isAsking}
      onOpenChange={(open) => (open ? undefined : stay())}
      title="Leave without creating the cluster?"
      description="What you entered is not kept."
      size="small"
      footer={
        <>
          <Button onClick={() => blocker.proceed?.()}>Leave</Button>
          <Button variant="primary" onClick={stay}>
            Stay
          </Button>
        </>
      }
    />
  )
}
