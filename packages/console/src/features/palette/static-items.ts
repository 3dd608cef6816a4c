import { dashboardService, serviceForPath } from '@bey/contract'
import type { Command } from '../../lib/command.ts'
import type { HomeGroup, PaletteItem } from './item.ts'

/** A page of the console that needs no parameters. */
export interface Page {
  path: string
  title: string
}

export interface RouteLike {
  id: string
  fullPath: string
  options: { staticData?: { title?: string } | undefined }
}

/** The pages behind the guard that can be opened as they are, from the routes themselves. */
export function pagesOf(routes: readonly RouteLike[]): Page[] {
  return routes.flatMap(({ id, fullPath, options }) => {
    const title = options.staticData?.title
    if (!id.startsWith('/guarded/') || fullPath.includes('$') || !title) return []
    return [{ path: fullPath.replace(/(.)\/$/, '$1'), title }]
  })
}

/** Pages and commands as items. A page that a command creates something on is that command; others keep its keys. */
export function staticItems(pages: readonly Page[], commands: readonly Command[]): PaletteItem[] {
  const creating = new Set<string | undefined>(
    commands.filter((each) => each.group === 'Create').map((each) => each.path),
  )
  const routeItems = pages.filter((page) => !creating.has(page.path)).map((page) => routeItem(page, commands))
  return [...routeItems, ...commands.flatMap(commandItem)]
}

function routeItem({ path, title }: Page, commands: readonly Command[]): PaletteItem {
  const service = serviceForPath(path)
  const isOfService = service !== dashboardService || path === '/'
  const group = groupOf(path)
  return {
    id: `route:${path}`,
    type: 'route',
    title,
    description: isOfService ? service.description : '',
    category: isOfService ? service.label : group === 'settings' ? 'Workspace' : 'Console',
    group,
    shortcuts: commands.find((each) => each.group === 'Go to' && each.path === path)?.shortcuts ?? [],
    path,
    icon: isOfService ? service.icon : '',
  }
}

function groupOf(path: string): HomeGroup {
  if (path.startsWith('/workspaces/')) return 'settings'
  return path === '/profile' ? 'user' : 'navigation'
}

// The palette does not offer to open itself, and where a command leads is offered as that page.
function commandItem(command: Command): PaletteItem[] {
  if (command.id === 'palette' || command.group === 'Go to') return []
  const base = {
    title: command.name,
    description: '',
    category: command.group,
    shortcuts: command.shortcuts,
    command,
  }
  if (command.group === 'Theme') {
    return [{ ...base, id: `theme:${command.id}`, type: 'theme', group: 'theme' }]
  }
  const group = command.group === 'User' ? 'user' : 'actions'
  return [{ ...base, id: `action:${command.id}`, type: 'action', group }]
}
