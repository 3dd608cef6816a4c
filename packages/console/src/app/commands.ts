import { entityOf, paletteRule, paletteTypes, pluralLabel } from '@bey/contract'
import type { PaletteType } from '@bey/contract'
import type { Command, CommandContext } from '../lib/command.ts'
import type { AppRouter } from './router.tsx'
import { setThemeMode, themeSettings } from '../features/theming/theme.ts'
import { isCustomised } from '../features/theming/theme-settings.ts'
import { signOut } from './sign-out.ts'

const goToPath = (path: string) => ({
  path,
  run: ({ navigate }: CommandContext) => void navigate({ href: path }),
})
const goTo = (path: keyof AppRouter['routesByPath']) => goToPath(path)

/** The command that opens the list of a type, where the type has a key. */
function listCommand(type: PaletteType): Command[] {
  const { paths, plural } = entityOf(type)
  const { key } = paletteRule(type)
  if (key === undefined) return []
  return [
    {
      id: plural,
      name: pluralLabel(type),
      group: 'Go to',
      shortcuts: [['g', key]],
      ...goToPath(paths.list),
    },
  ]
}

/** The command that opens the form for a new one. */
function createCommand(type: PaletteType): Command[] {
  const { paths, singular } = entityOf(type)
  const { key } = paletteRule(type)
  if (paths.create === undefined) return []
  const shortcuts =
    key === undefined
      ? []
      : [
          ['Mod+N', key],
          ['n', key],
        ]
  return [
    {
      id: `create-${type}`,
      name: `Create ${singular}`,
      group: 'Create',
      shortcuts,
      ...goToPath(paths.create),
    },
  ]
}

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
  ...paletteTypes.flatMap(listCommand),
  {
    id: 'settings',
    name: 'Settings',
    group: 'Go to',
    shortcuts: [['Mod+,'], ['g', ',']],
    ...goTo('/workspaces/settings'),
  },
  ...paletteTypes.flatMap(createCommand),
  {
    id: 'import-clusters',
    name: 'Import clusters',
    group: 'Create',
    shortcuts: [['n', 'i']],
    ...goTo('/kubernetes/clusters/import'),
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
