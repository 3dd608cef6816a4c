import type { OrganizationDetail } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { useState } from 'react'
import { session, useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useRead } from '../../data/use-read.ts'
import { useChange } from '../../data/use-change.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { actorText } from '@bey/contract'

/** Deletes the organization after seven days, or undoes that. */
export function DeleteOrganization({ organization }: { organization: OrganizationDetail }) {
  if (organization.deletion) return <Pending deletion={organization.deletion} />
  return <Ask organization={organization} />
}

function Ask({ organization: { name } }: { organization: OrganizationDetail }) {
  const denied = deniedReason(useRole(), 'organization.delete')
  const stale = useStaleReason()
  const [isAsking, setAsking] = useState(false)
  const impact = useRead('organization.impact', {}, { isEnabled: denied === undefined, becomesOld: 'now' })
  const remove = useChange('organization.delete', { onReply: () => session.refresh() })
  const [obstacle] = impact.data?.obstacles ?? []
  return (
    <div className="flex max-w-xl flex-col items-start gap-3">
      {obstacle ? <p className="text-text-2">{obstacle}</p> : null}
      <Button
        variant="danger"
        disabledReason={denied ?? obstacle ?? stale}
        onClick={() => {
          remove.reset()
          void impact.refetch()
          setAsking(true)
        }}
      >
        Delete organization
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Delete this organization?"
        name={name}
        mustTypeName
        impactTitle={`In ${impact.data?.graceDays ?? 7} days this goes with it; until then an owner can undo it:`}
        impact={impact.data?.losses ?? []}
        action="Delete organization"
        busy={remove.isPending}
        error={remove.error ? causeOf(remove.error) : undefined}
        onConfirm={() => remove.mutate({}, { onSuccess: () => setAsking(false) })}
      >
        <p className="text-text-2">
          From now on it is read-only for everyone. The audit log stays with the operator of the server.
        </p>
      </ConfirmDialog>
    </div>
  )
}

function Pending({ deletion }: { deletion: NonNullable<OrganizationDetail['deletion']> }) {
  const denied = deniedReason(useRole(), 'organization.delete')
  const stale = useStaleReason()
  const restore = useChange('organization.restore', { onReply: () => session.refresh() })
  return (
    <div className="max-w-xl">
      <Notice
        tone="warn"
        title={
          <>
            Deleted <RelativeTime at={deletion.deletesAt} />
          </>
        }
        actions={
          <Button
            disabledReason={denied ?? stale}
            busy={restore.isPending}
            onClick={() => restore.mutate({})}
          >
            Undo the deletion
          </Button>
        }
      >
        {actorText(deletion.requestedBy)} asked for it <RelativeTime at={deletion.requestedAt} />. Until then
        everything can be read and nothing changed.
        {restore.error ? <span className="block text-danger">{causeOf(restore.error)}</span> : null}
      </Notice>
    </div>
  )
}
