import type { Invitation } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { Ban, Ellipsis, Link2, RefreshCw } from 'lucide-react'
import { invitationLink } from '../../data/invitations.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useList } from '../../data/use-read.ts'
import { useChange } from '../../data/use-change.ts'
import { toastCause } from '../../lib/error-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { useListLocation } from '../../lib/list-location.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.ts'
import { ActorName } from '../../entities/actor-name.tsx'

const shown = 200

/** Invitations that nobody has accepted yet; nothing where there are none, or for those who may not see them. */
export function InvitationSection() {
  const mayInvite = deniedReason(useRole(), 'members.invite') === undefined
  const { search } = useListLocation()
  const query = { limit: shown, ...(search.q && { search: search.q }) }
  const list = useList('invitations.list', { query }, { isEnabled: mayInvite })
  const { data } = list
  const failure = failureOf('Failed to fetch invitations', list)
  if (!mayInvite || (!failure && (data?.invitations.length ?? 0) === 0)) return null
  const expired = data?.invitations.filter(({ status }) => status === 'expired').length ?? 0
  const waiting = (data?.total ?? 0) - expired
  return (
    <section aria-labelledby="pending-invitations" className="pt-6 pb-10">
      <div className="flex min-h-8 items-baseline justify-between gap-4 px-(--gutter) pb-2">
        <h2 id="pending-invitations" className="font-semibold">
          Pending invitations
        </h2>
        <p className="text-small text-text-2">
          {waiting} waiting{expired > 0 ? `, ${expired} expired` : ''}
        </p>
      </div>
      <div className="border-t border-line">
        <Table
          label="Pending invitations"
          columns={columns}
          rows={data?.invitations}
          rowKey={({ id }) => id}
          rowLabel={({ email }) => email}
          rowActions={(invitation) => (
            <InvitationMenu invitation={invitation} isMailConfigured={data?.isMailConfigured ?? false} />
          )}
          error={failure && <ErrorState {...failure} />}
          empty={null}
          skeletonRows={2}
        />
      </div>
    </section>
  )
}

const columns: readonly Column<Invitation>[] = [
  { key: 'email', header: 'Address', cell: ({ email }) => <span title={email}>{email}</span> },
  { key: 'role', header: 'Role', width: '7rem', isVital: true, cell: ({ role }) => role },
  {
    key: 'invitedBy',
    header: 'Invited by',
    width: '14rem',
    cell: ({ invitedBy, createdAt }) => (
      <>
        <ActorName actor={invitedBy} />, <RelativeTime at={createdAt} />
      </>
    ),
  },
  { key: 'mail', header: 'Mail', width: '7rem', cell: ({ mail }) => <MailState mail={mail} /> },
  {
    key: 'expiresAt',
    header: 'Ends',
    width: '8rem',
    cell: ({ status, expiresAt }) =>
      status === 'expired' ? (
        <span className="inline-flex items-center gap-1.5">
          <StatusMark glyph="barred" /> expired
        </span>
      ) : (
        <RelativeTime at={expiresAt} />
      ),
  },
]

function MailState({ mail: { status, reason } }: Pick<Invitation, 'mail'>) {
  switch (status) {
    case 'none':
      return <span className="text-text-3">—</span>
    case 'sent':
      return 'sent'
    case 'waiting':
      return <span data-tooltip={reason ?? undefined}>{reason ? 'trying again' : 'on its way'}</span>
    case 'failed':
      return (
        <span className="text-danger" title={reason ?? undefined}>
          ▲ failed
        </span>
      )
  }
}

const icon = { size: 14, 'aria-hidden': true } as const

function InvitationMenu({
  invitation: { id, email, status },
  isMailConfigured,
}: {
  invitation: Invitation
  isMailConfigured: boolean
}) {
  const stale = useStaleReason()
  const resend = useChange('invitations.resend', { isSecret: true })
  const revoke = useChange('invitations.revoke')
  const isExpired = status === 'expired'
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await invitationLink(id))
      toast('success', `The link for ${email} is copied`)
    } catch (error) {
      toast('error', `Failed to copy the link for ${email}`, toastCause(error))
    }
  }
  const again = async () => {
    try {
      const { link } = await resend.mutateAsync({ params: { id }, body: {} })
      if (isMailConfigured) return toast('success', `A new mail is on its way to ${email}`)
      await navigator.clipboard.writeText(link)
      toast('success', `A new link for ${email} is copied; the previous link no longer works`)
    } catch (error) {
      toast('error', `Failed to send the invitation for ${email} again`, toastCause(error))
    }
  }
  return (
    <Menu
      trigger={
        <IconButton
          label={`Actions for the invitation of ${email}`}
          size="small"
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      <MenuItem
        icon={<Link2 {...icon} />}
        disabledReason={isExpired ? 'It has expired. Send it again first.' : stale}
        onSelect={() => void copy()}
      >
        Copy link
      </MenuItem>
      <MenuItem icon={<RefreshCw {...icon} />} disabledReason={stale} onSelect={() => void again()}>
        {isMailConfigured ? 'Send again' : 'Make a new link and copy it'}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Ban {...icon} />}
        isDanger
        disabledReason={stale}
        onSelect={() =>
          revoke.mutate(
            { params: { id } },
            {
              onSuccess: () => toast('success', `The invitation of ${email} is revoked`),
              onError: (error) => toast('error', 'Failed to revoke the invitation', toastCause(error)),
            },
          )
        }
      >
        Revoke
      </MenuItem>
    </Menu>
  )
}
