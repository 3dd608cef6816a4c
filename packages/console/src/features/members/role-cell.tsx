import type { Member, Role } from '@bey/contract'
import { deniedReason, roleChangeRefusal, roles } from '@bey/contract'
import { ChevronDown } from 'lucide-react'
import { useStaleReason } from '../../data/stale-reason.ts'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import type { RoleChange } from './use-role-change.ts'
import { useRoleChange } from './use-role-change.ts'

export interface RoleCellProps {
  me: { id: number; role: Role }
  member: Member
  ownerCount: number
  onChanged: (change: RoleChange) => void
}

/** The role of a member; a menu for those who may change it. */
export function RoleCell({ me, member, ownerCount, onChanged }: RoleCellProps) {
  const { change, isPending } = useRoleChange()
  const stale = useStaleReason()
  const reasonFor = (to: Role) => roleChangeRefusal(me, member, to, ownerCount)
  const denied = deniedReason(me.role, 'members.update')
  const isFixed =
    denied !== undefined || roles.every((to) => to === member.role || reasonFor(to) !== undefined)
  if (isFixed) {
    const other = roles.find((to) => to !== member.role) ?? 'VIEWER'
    return <span data-tooltip={denied ?? reasonFor(other)}>{member.role}</span>
  }
  const choose = async (to: Role) => {
    if (to !== member.role && (await change(member, to))) onChanged({ member, to })
  }
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={`Role of ${member.name}: ${member.role}`}
          aria-busy={isPending || undefined}
          className="-mx-1.5 inline-flex h-6 items-center gap-1 rounded-badge px-1.5 hover:bg-active data-[state=open]:bg-active touch:h-9"
        >
          {member.role}
          <ChevronDown size={14} aria-hidden className="text-text-3" />
        </button>
      }
    >
      {roles.map((to) => (
        <MenuItem
          key={to}
          checked={to === member.role}
          disabledReason={to === member.role ? undefined : (reasonFor(to) ?? stale)}
          onSelect={() => void choose(to)}
        >
          {to}
        </MenuItem>
      ))}
    </Menu>
  )
}
