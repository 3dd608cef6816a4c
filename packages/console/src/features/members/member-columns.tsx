import type { Member, Role } from '@bey/contract'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import type { Column } from '../../ui/table.tsx'
import type { RoleCellProps } from './role-cell.tsx'
import { RoleCell } from './role-cell.tsx'

export interface MemberColumnsOptions extends Pick<RoleCellProps, 'ownerCount' | 'onChanged'> {
  me: { id: number; role: Role }
}

export function memberColumns(options: MemberColumnsOptions): readonly Column<Member>[] {
  const { me, ownerCount, onChanged } = options
  return [
    {
      key: 'name',
      header: 'Name',
      sortKey: 'name',
      cell: (member) => (
        <span className="flex min-w-0 items-center gap-2">
          <Avatar email={member.email} size={20} />
          <span className="flex min-w-0 items-center gap-x-2 max-sm:flex-wrap">
            <span className="min-w-0 truncate max-sm:whitespace-normal" title={member.name}>
              {member.name}
            </span>
            {member.id === me.id ? <Badge>you</Badge> : null}
          </span>
          <span
            className="hidden min-w-0 flex-1 truncate font-normal text-text-3 sm:inline"
            title={member.email}
          >
            {member.email}
          </span>
        </span>
      ),
    },
    {
      key: 'role',
      header: 'Role',
      sortKey: 'role',
      width: '8rem',
      isVital: true,
      cell: (member) => <RoleCell me={me} member={member} ownerCount={ownerCount} onChanged={onChanged} />,
    },
    {
      key: 'lastSeenAt',
      header: 'Last seen',
      sortKey: 'lastSeenAt',
      align: 'end',
      width: '8rem',
      cell: ({ lastSeenAt }) => (lastSeenAt ? <RelativeTime at={lastSeenAt} /> : 'not lately'),
    },
    secondFactorColumn,
    { key: 'origin', header: 'Invited by', width: '12rem', cell: ({ origin }) => originText(origin) },
    {
      key: 'joinedAt',
      header: 'Joined',
      sortKey: 'joinedAt',
      align: 'end',
      width: '8rem',
      isExtra: true,
      cell: (member) => <RelativeTime at={member.joinedAt} />,
    },
  ]
}

const secondFactorColumn: Column<Member> = {
  key: 'secondFactor',
  header: 'Second factor',
  width: '8rem',
  cell: ({ secondFactor }) =>
    secondFactor === 'none' ? (
      <span className="inline-flex items-center gap-1.5 text-warn">
        <StatusMark glyph="triangle" /> none
      </span>
    ) : (
      secondFactor
    ),
}

function originText(origin: Member['origin']): string {
  switch (origin.type) {
    case 'founder':
      return 'Founder'
    case 'invitation':
      return origin.by.id === '' ? 'A former member' : origin.by.name
    case 'provider':
      return origin.provider
  }
}
