import type { CallOutput } from '@bey/contract'
import { entities, roles } from '@bey/contract'
import type { MemberListQuery } from '../../data/members.ts'
import { useMembers } from '../../data/members.ts'
import { useOrganizationId, useUser } from '../../data/session.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { listQuery, oneOf, tableControls, useListLocation } from '../../lib/list-location.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { Column } from '../../ui/table.tsx'

const sorts = ['name', 'email', 'role', 'joinedAt', 'lastSeenAt'] as const

/** Who belongs to the organization. */
export function MemberListPage() {
  const listLocation = useListLocation()
  const query = queryOf(listLocation)
  const list = useMembers(query)
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch members', list)
  const userId = useUser()?.id
  const organizationId = useOrganizationId()
  usePageCommands([apiCommand('List these members', 'members.list', { query }, organizationId)])
  return (
    <ListPage
      title="Team members"
      summary={data && formatCount(data.total, 'member')}
      search={{ value: listLocation.search.q ?? '', onChange: (q) => listLocation.change({ q }) }}
      filters={
        <FilterSelect
          label="Role"
          all="All roles"
          value={query.role}
          options={roles}
          onChange={(role) => listLocation.change({ type: role })}
        />
      }
      page={data}
      onPageChange={(page) => listLocation.change({ page })}
      columns={columns(userId)}
      rows={data?.members}
      rowKey={(member) => String(member.id)}
      rowLabel={entities.member.label}
      {...tableControls(listLocation, query, { key: 'name', direction: 'asc' }, [query.search, query.role])}
      isRefreshing={isPlaceholderData}
      error={failure && <ErrorState {...failure} />}
      empty={<EmptyState title="No members" description="Nobody belongs to this organization." />}
    />
  )
}

type Member = CallOutput<'members.list'>['members'][number]

const columns = (userId: number | undefined): readonly Column<Member>[] => [
  {
    key: 'name',
    header: 'Name',
    sortKey: 'name',
    width: '26%',
    cell: (member) => (
      <span className="inline-flex items-center gap-2">
        {member.name}
        {member.id === userId ? <Badge tone="accent">you</Badge> : null}
      </span>
    ),
  },
  { key: 'email', header: 'E-mail', sortKey: 'email', cell: (member) => member.email },
  { key: 'role', header: 'Role', sortKey: 'role', width: '8rem', cell: ({ role }) => role, isVital: true },
  {
    key: 'joinedAt',
    header: 'Joined',
    sortKey: 'joinedAt',
    align: 'end',
    width: '8rem',
    cell: (member) => <RelativeTime at={member.joinedAt} />,
  },
  {
    key: 'lastSeenAt',
    header: 'Last seen',
    sortKey: 'lastSeenAt',
    align: 'end',
    width: '8rem',
    cell: ({ lastSeenAt }) => (lastSeenAt ? <RelativeTime at={lastSeenAt} /> : 'not lately'),
  },
]

function queryOf({ search }: ListLocation): MemberListQuery {
  const query: MemberListQuery = listQuery(search, sorts)
  const role = oneOf(roles, search.type)
  if (role) query.role = role
  return query
}
