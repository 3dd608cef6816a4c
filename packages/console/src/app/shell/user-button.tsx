import { ChevronsUpDown } from 'lucide-react'
import type { ButtonHTMLAttributes, Ref } from 'react'
import { placeholderOrganization } from '../../data/session-store.ts'
import { useCurrentOrganization, useUser } from '../../data/session.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { cx } from '../../ui/class-names.ts'

export interface UserButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  isCollapsed: boolean
  ref?: Ref<HTMLButtonElement>
}

/** Avatar, name and organization at the foot of the sidebar: what opens the menu My Account. */
export function UserButton({ isCollapsed, ...rest }: UserButtonProps) {
  const user = useUser()
  const organizationName = useCurrentOrganization()?.name ?? placeholderOrganization.name
  if (!user) return null
  return (
    <button
      type="button"
      aria-haspopup="menu"
      {...rest}
      aria-label={isCollapsed ? `My Account: ${user.name}, ${organizationName}` : undefined}
      data-tooltip={isCollapsed ? user.name : undefined}
      data-tooltip-side="right"
      className={cx(
        'flex h-10 w-full items-center gap-2.5 rounded-control text-left transition-colors duration-75 hover:bg-hover data-[state=open]:bg-active',
        isCollapsed ? 'justify-center' : 'px-1.5',
      )}
    >
      <Avatar email={user.email} size={isCollapsed ? 24 : 28} />
      {isCollapsed ? null : (
        <>
          <span className="sr-only">My Account: </span>
          <span className="min-w-0 flex-1 leading-4">
            <span className="block truncate font-medium">{user.name}</span>
            <span className="block truncate text-small text-text-2">{organizationName}</span>
          </span>
          <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-text-3" />
        </>
      )}
    </button>
  )
}
