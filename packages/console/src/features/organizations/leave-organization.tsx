import type { OrganizationDetail } from '@bey/contract'
import { leaveRefusal } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useLeaveOrganization } from '../../data/organizations.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { causeOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'

/** Leaves the organization; the last owner is shown what to do first. */
export function LeaveOrganization({ organization }: { organization: OrganizationDetail }) {
  const { name, ownerCount } = organization
  const refusal = leaveRefusal({ role: useRole() }, ownerCount)
  const stale = useStaleReason()
  const [isAsking, setAsking] = useState(false)
  const leave = useLeaveOrganization()
  const navigate = useNavigate()
  const confirm = () =>
    leave.mutate(undefined, {
      onSuccess: () => {
        toast('success', `You have left ${name}`)
        void navigate({ to: '/' })
      },
    })
  return (
    <div id="leave">
      <Button disabledReason={refusal ?? stale} onClick={() => setAsking(true)}>
        Leave {name}
      </Button>
      {refusal ? <p className="mt-2 max-w-md text-small text-text-2">{refusal}</p> : null}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Leave this organization?"
        name={name}
        impactTitle="What ends within a second:"
        impact={[
          'Your access to it, on every device',
          'Your kubeconfig tokens for its clusters',
          'What was granted to you by name, and links to secrets that you made',
        ]}
        action="Leave"
        busy={leave.isPending}
        error={leave.error ? causeOf(leave.error) : undefined}
        onConfirm={confirm}
      />
    </div>
  )
}
