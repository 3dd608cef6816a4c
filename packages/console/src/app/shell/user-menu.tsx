import { CreditCard, KeyRound, LogOut, Repeat, Settings, SunMoon, Users } from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { session, useCurrentOrganization, useUser } from '../../data/session.ts'
import { errorText } from '../../lib/error-text.ts'
import { Menu, MenuItem, MenuLabel, MenuSeparator, MenuSub } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.ts'
import { UserButton } from './user-button.tsx'
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
export default function UserMenu({
  isCollapsed,
  isInitiallyOpen,
}: {
  isCollapsed: boolean
  isInitiallyOpen: boolean
}) {
  const user = useUser()
  const organization = useCurrentOrganization()
  const navigate = useNavigate()
  const current = useThemeMode()
  if (!user) return null
  return (
    <Menu
      trigger={<UserButton isCollapsed={isCollapsed} />}
      side="top"
      align="start"
      isTriggerWide={!isCollapsed}
      isInitiallyOpen={isInitiallyOpen}
    >
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
