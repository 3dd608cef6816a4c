import {
  Bug,
  CircleUser,
  CreditCard,
  KeyRound,
  LogOut,
  Repeat,
  ScrollText,
  Settings,
  SunMoon,
  Users,
} from 'lucide-react'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { useUnreadChangelog } from '../../data/changelog-seen.ts'
import { session, useCurrentOrganization, useUser } from '../../data/session.ts'
import { toastCause } from '../../lib/error-text.ts'
import { leaving } from '../../lib/unsaved.ts'
import { Menu, MenuItem, MenuLabel, MenuSeparator, MenuSub } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast.ts'
import { ImpersonateItem } from './impersonate-item.tsx'
import { UserButton } from './user-button.tsx'
import { setThemeMode, useThemeMode } from '../../features/theming/theme.ts'
import { keptPage } from '../kept-page.ts'
import { signOut } from '../sign-out.ts'

const links = [
  { label: 'Profile', to: '/profile', icon: CircleUser },
  { label: 'Team Members', to: '/workspaces/members', icon: Users },
  { label: 'Workspace Settings', to: '/workspaces/settings', icon: Settings },
  { label: 'Billing', to: '/workspaces/settings/billing', icon: CreditCard },
  { label: 'API Keys', to: '/workspaces/settings/api-keys', icon: KeyRound },
  { label: 'Errors', to: '/errors', icon: Bug },
] as const

const modes = [
  { mode: 'system', label: 'System' },
  { mode: 'light', label: 'Light' },
  { mode: 'dark', label: 'Dark' },
  { mode: 'custom', label: 'Custom' },
] as const

/** The user at the foot of the sidebar, and the menu titled My Account. */
export default function UserMenu({
  isCollapsed,
  isInitiallyOpen,
  onImpersonate,
}: {
  isCollapsed: boolean
  isInitiallyOpen: boolean
  onImpersonate: () => void
}) {
  const user = useUser()
  const organization = useCurrentOrganization()
  const navigate = useNavigate()
  const router = useRouter()
  const current = useThemeMode()
  const isChangelogUnread = useUnreadChangelog()
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
        <MenuItem key={to} icon={<Icon size={14} aria-hidden />} href={to}>
          {label}
        </MenuItem>
      ))}
      <MenuSub label="Theme" icon={<SunMoon size={14} aria-hidden />}>
        {modes.map(({ mode, label }) => (
          <MenuItem key={mode} checked={mode === current} onSelect={() => setThemeMode(mode)}>
            {label}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem href="/workspaces/settings/appearance">Appearance…</MenuItem>
      </MenuSub>
      <ImpersonateItem onSelect={onImpersonate} />
      <MenuItem icon={<ScrollText size={14} aria-hidden />} href="/changelog">
        Changelog
        {isChangelogUnread ? <span className="ml-2 text-small text-info">new</span> : null}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<LogOut size={14} aria-hidden />} isDanger onSelect={() => void signOut()}>
        Log out
      </MenuItem>
    </Menu>
  )

  async function switchTo(id: number, name: string) {
    try {
      await leaving(async () => {
        const { fullPath = '/' } = router.state.matches.at(-1) ?? {}
        await session.switchOrganization(id)
        // What was on screen may belong to the other organization alone.
        await navigate({ href: keptPage(fullPath) })
      })
    } catch (error) {
      toast('error', `Failed to switch to ${name}`, toastCause(error))
    }
  }
}
