import { placeholderOrganization } from '../../data/session-store.ts'
import { ChevronsUpDown, CreditCard, KeyRound, LogOut, Repeat, Settings, SunMoon, Users } from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { session, useCurrentOrganization, useUser } from '../../data/session.ts'
import { errorText } from '../../lib/error-text.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { cx } from '../../ui/class-names.ts'
import { Menu, MenuItem, MenuLabel, MenuSeparator, MenuSub } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.ts'
import { setThemeMode, useThemeMode } from '../theme.ts'
import { signOut } from '../sign-out.ts'

const links = [
  { label: 'Team Members', to: '/workspaces/members', icon: Users },
  { label: 'Workspace Settings', to: '/workspaces/settings', icon: Settings },
  { label: 'Billing', to: '/workspaces/settings/billing', icon: CreditCard },
  { label: 'API Keys', to: '/workspaces/settings/api-keys', icon: KeyRound },
] as const

const modes = [
  { mode: 'system', label: 'System' },
  { mode: 'light', label: 'Light' },
  { mode: 'dark', label: 'Dark' },
] as const

/** The user at the foot of the sidebar, and the menu titled My Account. */
export default function UserMenu({ isCollapsed }: { isCollapsed: boolean }) {
  const user = useUser()
  const organization = useCurrentOrganization()
  const navigate = useNavigate()
  const current = useThemeMode()
  if (!user) return null
  const organizationName = organization?.name ?? placeholderOrganization.name
  const trigger = (
    <button
      type="button"
      aria-label={`My Account: ${user.name}, ${organizationName}`}
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
          <span className="min-w-0 flex-1 leading-4">
            <span className="block truncate font-medium">{user.name}</span>
            <span className="block truncate text-small text-text-2">{organizationName}</span>
          </span>
          <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-text-3" />
        </>
      )}
    </button>
  )
  return (
    <Menu trigger={trigger} side="top" align="start" isTriggerWide={!isCollapsed}>
      <MenuLabel>My Account</MenuLabel>
      {user.organizations.length > 1 ? (
        <MenuSub label="Switch Organization" icon={<Repeat size={14} aria-hidden />}>
          {user.organizations.map((each) => (
            <MenuItem
              key={each.id}
              checked={each.id === organization?.id}
              onSelect={() => {
                if (each.id !== organization?.id) void switchTo(each.id, each.name)
              }}
            >
              {each.name}
            </MenuItem>
          ))}
        </MenuSub>
      ) : null}
      <MenuSeparator />
      {links.map(({ label, to, icon: Icon }) => (
        <MenuItem key={to} icon={<Icon size={14} aria-hidden />} onSelect={() => void navigate({ to })}>
          {label}
        </MenuItem>
      ))}
      <MenuSub label="Theme" icon={<SunMoon size={14} aria-hidden />}>
        {modes.map(({ mode, label }) => (
          <MenuItem key={mode} checked={mode === current} onSelect={() => setThemeMode(mode)}>
            {label}
          </MenuItem>
        ))}
      </MenuSub>
      <MenuSeparator />
      <MenuItem icon={<LogOut size={14} aria-hidden />} isDanger onSelect={() => void signOut()}>
        Log out
      </MenuItem>
    </Menu>
  )

  async function switchTo(id: number, name: string) {
    try {
      await session.switchOrganization(id)
      // What was on screen belongs to the other organization.
      await navigate({ to: '/' })
    } catch (error) {
      const { title, detail } = errorText(`Failed to switch to ${name}`, error)
      toast('error', title, detail ? { description: detail } : {})
    }
  }
}
