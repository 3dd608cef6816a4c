import type { Member, Role } from '@bey/contract'
import { deniedReason, removalRefusal } from '@bey/contract'
import { Crown, Ellipsis, LogOut, Shield, UserMinus } from 'lucide-react'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useChangeSearch } from '../../lib/change-search.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'

export interface MemberMenuProps {
  me: { id: number; role: Role }
  member: Member
  ownerCount: number
  onRemove: () => void
  onTransfer: () => void
}

const icon = { size: 14, 'aria-hidden': true } as const

/** Everything that can be done with one member. */
export function MemberMenu({ me, member, ownerCount, onRemove, onTransfer }: MemberMenuProps) {
  const changeSearch = useChangeSearch()
  const stale = useStaleReason()
  const isMe = member.id === me.id
  return (
    <Menu
      trigger={
        <IconButton
          label={`Actions for ${member.name}`}
          size="small"
          icon={<Ellipsis size={16} aria-hidden />}
        />
      }
    >
      <MenuItem
        icon={<Shield {...icon} />}
        onSelect={() => changeSearch({ role: member.role, why: undefined }, { isStep: true })}
      >
        What {member.role} may do
      </MenuItem>
      {isMe ? (
        <MenuItem icon={<LogOut {...icon} />} href="/workspaces/settings#leave">
          Leave the organization
        </MenuItem>
      ) : (
        <>
          <MenuItem
            icon={<Crown {...icon} />}
            disabledReason={deniedReason(me.role, 'organization.transfer') ?? stale}
            onSelect={onTransfer}
          >
            Transfer ownership to {member.name}
          </MenuItem>
          <MenuSeparator />
          <MenuItem
            icon={<UserMinus {...icon} />}
            isDanger
            disabledReason={
              deniedReason(me.role, 'members.remove') ?? removalRefusal(me, member, ownerCount) ?? stale
            }
            onSelect={onRemove}
          >
            Remove from the organization
          </MenuItem>
        </>
      )}
    </Menu>
  )
}
