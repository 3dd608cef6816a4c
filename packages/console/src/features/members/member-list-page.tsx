import type { Member, Role } from '@bey/contract'
import { deniedReason, entities, roles } from '@bey/contract'
import { Shield, UserPlus } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { MemberListQuery } from '../../data/members.ts'
import { useCurrentOrganization, useOrganizationId, useRole, useUser } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useList } from '../../data/use-read.ts'
import { useChangeSearch } from '../../lib/change-search.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { listQuery, oneOf, tableControls, useListLocation } from '../../lib/list-location.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { InvitationSection } from './invitation-section.tsx'
import { memberColumns } from './member-columns.tsx'
import { MemberMenu } from './member-menu.tsx'
import { RoleUndoBar } from './role-undo-bar.tsx'
import type { RoleChange } from './use-role-change.ts'

const InviteDialog = lazyPart(async () => ({ default: (await import('./invite-dialog.tsx')).InviteDialog }))
const RemoveDialog = lazyPart(async () => ({ default: (await import('./remove-dialog.tsx')).RemoveDialog }))
const TransferDialog = lazyPart(async () => ({
  default: (await import('./transfer-dialog.tsx')).TransferDialog,
}))

const secondFactors = ['none', 'code', 'passkey'] as const
const secondFactorOptions = [
  { value: 'none', label: 'None' },
  { value: 'code', label: 'Authenticator app' },
  { value: 'passkey', label: 'Passkey' },
]

const sorts = ['name', 'email', 'role', 'joinedAt', 'lastSeenAt'] as const

type Open = { dialog: 'invite' } | { dialog: 'remove' | 'transfer'; member: Member }

/** Who belongs to the organization, who is invited, and what becomes of them. */
export function MemberListPage() {
  const listLocation = useListLocation()
  const query = queryOf(listLocation)
  const list = useList('members.list', { query })
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch members', list)
  const me = { id: useUser()?.id ?? 0, role: useRole() }
  const organizationId = useOrganizationId()
  const [open, setOpen] = useState<Open>()
  const [change, setChange] = useState<RoleChange>()
  const close = () => setOpen(undefined)
  usePageCommands([apiCommand('List these members', 'members.list', { query }, organizationId)])
  const ownerCount = data?.ownerCount ?? 1
  return (
    <>
      <ListPage
        title="Team members"
        summary={useSummary(data?.total, query)}
        actions={<Actions role={me.role} onInvite={() => setOpen({ dialog: 'invite' })} />}
        search={{ value: listLocation.search.q ?? '', onChange: (q) => listLocation.change({ q }) }}
        filters={
          <>
            <FilterSelect
              label="Role"
              all="All roles"
              value={query.role}
              options={roles}
              onChange={(role) => listLocation.change({ type: role })}
            />
            <FilterSelect
              label="Second factor"
              all="Any second factor"
              value={query.secondFactor}
              options={secondFactorOptions}
              onChange={(secondFactor) => listLocation.change({ status: secondFactor })}
            />
          </>
        }
        notice={change ? <RoleUndoBar change={change} onDone={() => setChange(undefined)} /> : null}
        page={data}
        onPageChange={(page) => listLocation.change({ page })}
        columns={memberColumns({
          me,
          ownerCount,
          onChanged: setChange,
        })}
        rows={data?.members}
        rowKey={(member) => String(member.id)}
        rowLabel={entities.member.label}
        rowActions={(member) => (
          <MemberMenu
            me={me}
            member={member}
            ownerCount={ownerCount}
            onRemove={() => setOpen({ dialog: 'remove', member })}
            onTransfer={() => setOpen({ dialog: 'transfer', member })}
          />
        )}
        {...tableControls(listLocation, query, { key: 'name', direction: 'asc' }, [
          query.search,
          query.role,
          query.secondFactor,
        ])}
        isRefreshing={isPlaceholderData}
        error={failure && <ErrorState {...failure} />}
        empty={<EmptyState title="No members" description="This organization has no members." />}
        below={<InvitationSection />}
      />
      <Suspense fallback={null}>
        {open?.dialog === 'invite' ? <InviteDialog onClose={close} /> : null}
        {open?.dialog === 'remove' ? <RemoveDialog member={open.member} onClose={close} /> : null}
        {open?.dialog === 'transfer' ? <TransferDialog member={open.member} onClose={close} /> : null}
      </Suspense>
    </>
  )
}

function useSummary(
  total: number | undefined,
  { search, role, secondFactor }: MemberListQuery,
): string | undefined {
  const name = useCurrentOrganization()?.name ?? 'this organization'
  if (total === undefined) return undefined
  if (search || role || secondFactor) return formatCount(total, 'member')
  return `${formatCount(total, 'person belongs', 'people belong')} to ${name}.`
}

function Actions({ role, onInvite }: { role: Role; onInvite: () => void }) {
  const changeSearch = useChangeSearch()
  const stale = useStaleReason()
  return (
    <>
      <Button
        icon={<Shield size={14} aria-hidden />}
        onClick={() => changeSearch({ role, why: undefined }, { isStep: true })}
      >
        What roles may do
      </Button>
      <Button
        variant="primary"
        icon={<UserPlus size={14} aria-hidden />}
        disabledReason={deniedReason(role, 'members.invite') ?? stale}
        onClick={onInvite}
      >
        Invite people
      </Button>
    </>
  )
}

function queryOf({ search }: ListLocation): MemberListQuery {
  const query: MemberListQuery = listQuery(search, sorts)
  const role = oneOf(roles, search.type)
  if (role) query.role = role
  const secondFactor = oneOf(secondFactors, search.status)
  if (secondFactor) query.secondFactor = secondFactor
  return query
}
