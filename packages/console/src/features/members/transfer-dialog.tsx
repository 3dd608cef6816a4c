import type { Member } from '@bey/contract'
import { session, useCurrentOrganization } from '../../data/session.ts'
import { useChange } from '../../data/use-change.ts'
import { causeOf } from '../../lib/error-text.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toast.ts'

/** Gives the ownership to another member, after the name of the organization was typed. */
export function TransferDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const transfer = useChange('organization.transfer', { onReply: () => session.refresh() })
  const name = useCurrentOrganization()?.name ?? ''
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Transfer the ownership to ${member.name}?`}
      name={name}
      mustTypeName
      impactTitle="What changes:"
      impact={[
        `${member.name} becomes OWNER: billing, encryption keys, deletion of the organization.`,
        'You become ADMIN. Only an owner can make you an owner again.',
      ]}
      action="Transfer ownership"
      busy={transfer.isPending}
      error={transfer.error ? causeOf(transfer.error) : undefined}
      onConfirm={() =>
        transfer.mutate(
          { body: { userId: member.id } },
          {
            onSuccess: () => {
              toast('success', `${member.name} owns ${name} now`)
              onClose()
            },
          },
        )
      }
    />
  )
}
