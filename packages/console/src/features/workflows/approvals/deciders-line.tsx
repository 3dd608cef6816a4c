import type { Approval } from '@bey/contract'
import { deniedReason, reminderDeniedReason } from '@bey/contract'
import { useRole, useUser } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { decidersText } from './approval-text.ts'

/** Who can still decide, and a way to remind them; for who asked, whom the run waits for. */
export function DecidersLine({ approval, now }: { approval: Approval; now: number }) {
  const remind = useChange('workflows.remind')
  const user = useUser()
  const denied = deniedReason(useRole(), 'workflows.execute')
  const stale = useStaleReason()
  if (approval.status !== 'pending') return null
  const isOnlyMe = approval.decidersTotal === 1 && approval.deciders[0]?.id === String(user?.id)
  const onlyMe = isOnlyMe ? 'Nobody but you can decide this.' : undefined
  const isOwn = approval.requestedBy.id === String(user?.id)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="min-w-0 flex-1 basis-60 break-words text-text-2">
        {decidersText(approval, isOwn)}
        {approval.remindedAt ? (
          <>
            {' '}
            Reminded <RelativeTime at={approval.remindedAt} />.
          </>
        ) : null}
      </p>
      <Button
        size="small"
        busy={remind.isPending}
        disabledReason={denied ?? stale ?? onlyMe ?? reminderDeniedReason(approval, now)}
        onClick={() => remind.mutate({ params: { approvalId: approval.id } })}
      >
        Remind
      </Button>
      {remind.error ? (
        <p role="alert" className="basis-full text-danger">
          {causeOf(remind.error)}
        </p>
      ) : null}
    </div>
  )
}
