import type { Command, CommandContext } from '../lib/command.ts'
import type { AppRouter } from './router.tsx'
import { setThemeMode, themeSettings } from '../features/theming/theme.ts'
import { isCustomised } from '../features/theming/theme-settings.ts'
import { signOut } from './sign-out.ts'

const goTo = (path: keyof AppRouter['routesByPath']) => ({
  path,
  run: ({ navigate }: CommandContext) => void navigate({ href: path }),
})

/** Every command once, for shortcuts, menus and the palette alike. */
export const commands: readonly Command[] = [
  {
    id: 'palette',
    name: 'Command palette',
    group: 'General',
    shortcuts: [['Mod+K']],
    // Inside the sidebar the same keys mean the sidebar's own search.
    run: ({ togglePalette, focusSearch }) =>
      document.activeElement?.closest('[data-sidebar-content]') ? focusSearch() : togglePalette(),
  },
  {
    id: 'search',
    name: 'Search services',
    group: 'General',
    shortcuts: [],
    run: ({ focusSearch }) => focusSearch(),
  },
  {
    id: 'toggle-sidebar',
    name: 'Toggle sidebar',
    group: 'General',
    shortcuts: [['Mod+B']],
    run: ({ toggleSidebar }) => toggleSidebar(),
  },
  {
    id: 'filter',
    name: 'Filter the list',
    group: 'General',
    shortcuts: [['/']],
    run: () => document.querySelector<HTMLInputElement>('main [data-filter]')?.focus(),
  },
  {
    id: 'notifications',
    name: 'Notifications',
    group: 'General',
    shortcuts: [['g', 'b']],
    run: () => document.querySelector<HTMLElement>('[data-notification-bell]')?.click(),
  },
  {
    id: 'shortcuts',
    name: 'Keyboard shortcuts',
    group: 'General',
    shortcuts: [['?']],
    run: ({ showShortcuts }) => showShortcuts(),
  },
  {
    id: 'annotate',
    name: 'Annotate this page',
    group: 'General',
    shortcuts: [],
    run: () =>
      void import('../features/annotations/annotate-command.ts').then(({ annotatePage }) => annotatePage()),
  },
  {
    id: 'home',
    name: 'Home',
    group: 'Go to',
    shortcuts: [['Mod+H'], ['g', 'h']],
    ...goTo('/'),
  },
  {
    id: 'clusters',
    name: 'Clusters',
    group: 'Go to',
    shortcuts: [['g', 'c']],
    ...goTo('/kubernetes/clusters'),
  },
  {
    id: 'workflows',
    name: 'Workflows',
    group: 'Go to',
    shortcuts: [['g', 'w']],
    ...goTo('/workflows'),
  },
  {
    id: 'secrets',
    name: 'Secrets',
    group: 'Go to',
    shortcuts: [['g', 's']],
    ...goTo('/secrets'),
  },
  {
    id: 'databases',
    name: 'Databases',
    group: 'Go to',
    shortcuts: [['g', 'd']],
    ...goTo('/databases'),
  },
  {
    id: 'networking',
    name: 'Networking',
    group: 'Go to',
    shortcuts: [['g', 'n']],
    ...goTo('/networking'),
  },
  {
    id: 'settings',
    name: 'Settings',
    group: 'Go to',
    shortcuts: [['Mod+,'], ['g', ',']],
    ...goTo('/workspaces/settings'),
  },
  {
    id: 'create-cluster',
    name: 'Create cluster',
    group: 'Create',
    shortcuts: [
      ['Mod+N', 'c'],
      ['n', 'c'],
    ],
    ...goTo('/kubernetes/clusters/create'),
  },
  {
    id: 'create-workflow',
    name: 'Create workflow',
    group: 'Create',
    shortcuts: [
      ['Mod+N', 'w'],
      ['n', 'w'],
    ],
    ...goTo('/workflows/create'),
  },
  {
    id: 'create-secret',
    name: 'Create secret',
    group: 'Create',
    shortcuts: [
      ['Mod+N', 's'],
      ['n', 's'],
    ],
    ...goTo('/secrets/create'),
  },
  {
    id: 'theme-light',
    name: 'Light theme',
    group: 'Theme',
    shortcuts: [
      ['Mod+T', 'l'],
      ['t', 'l'],
    ],
    run: () => setThemeMode('light'),
  },
  {
    id: 'theme-dark',
    name: 'Dark theme',
    group: 'Theme',
    shortcuts: [
      ['Mod+T', 'd'],
      ['t', 'd'],
    ],
    run: () => setThemeMode('dark'),
  },
  {
    id: 'theme-system',
    name: 'System theme',
    group: 'Theme',
    shortcuts: [
      ['Mod+T', 's'],
      ['t', 's'],
    ],
    run: () => setThemeMode('system'),
  },
  {
    id: 'theme-custom',
    name: 'Custom theme',
    group: 'Theme',
    shortcuts: [['t', 'c']],
    // Without colours of one's own there is nothing to show yet, but much to choose.
    run: ({ navigate }) =>
      isCustomised(themeSettings())
        ? setThemeMode('custom')
        : void navigate({ href: '/workspaces/settings/appearance' }),
  },
  {
    id: 'sign-out',
    name: 'Sign out',
    group: 'User',
    shortcuts: [['Mod+Shift+Q'], ['g', 'q']],
    run: () => void signOut(),
  },
]
