import { isBelow } from '@bey/contract'
import type { ServiceRoute } from '@bey/contract'
import { filterEntry } from './sidebar-groups.ts'
import type { SidebarEntry, SidebarGroup } from './sidebar-groups.ts'

const pages: readonly { key: string; label: string; icon: string; routes: readonly ServiceRoute[] }[] = [
  {
    key: 'workspace',
    label: 'Workspace',
    icon: 'settings',
    routes: [
      { label: 'General', path: '/workspaces/settings' },
      { label: 'Team members', path: '/workspaces/members' },
      { label: 'Billing', path: '/workspaces/settings/billing' },
      { label: 'API keys', path: '/workspaces/settings/api-keys' },
      { label: 'Security', path: '/workspaces/settings/security' },
      { label: 'Notifications', path: '/workspaces/settings/notifications' },
      { label: 'Webhooks', path: '/workspaces/settings/webhooks' },
      { label: 'Command line', path: '/workspaces/settings/cli' },
      { label: 'Annotations', path: '/workspaces/settings/annotations' },
      { label: 'Appearance', path: '/workspaces/settings/appearance' },
      { label: 'Instance', path: '/workspaces/settings/instance' },
      { label: 'Create organization', path: '/workspaces/create' },
    ],
  },
  {
    key: 'documentation',
    label: 'Documentation',
    icon: 'book-open',
    routes: [{ label: 'Documentation', path: '/docs' }],
  },
  { key: 'profile', label: 'Profile', icon: 'circle-user', routes: [{ label: 'Profile', path: '/profile' }] },
  { key: 'errors', label: 'Errors', icon: 'bug', routes: [{ label: 'Errors', path: '/errors' }] },
]

const entries: readonly SidebarEntry[] = pages.map(({ key, label, icon, routes }) => ({
  key: `Settings/${key}`,
  service: { value: key, label, icon, description: '', isLaunched: true, routes },
  routes,
}))

/** Pages of the workspace and of the user rather than of a service, filtered as services are. */
export function settingsGroup(query: string): SidebarGroup | undefined {
  const found = entries.map((entry) => filterEntry(entry, query)).filter((entry) => entry !== undefined)
  return found.length > 0 ? { name: 'Settings', entries: found } : undefined
}

/** The entry of the section that a path belongs to; undefined where it belongs to a service. */
export function settingsKey(path: string): string | undefined {
  return entries.find(({ routes }) => routes.some((route) => isBelow(path, route.path)))?.key
}
