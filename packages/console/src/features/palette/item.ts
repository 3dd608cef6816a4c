import type { PaletteEntity, PaletteEntityType } from '@bey/contract'
import type { Command, Shortcut } from '../../lib/command.ts'

export type PaletteType = 'route' | 'action' | 'theme' | PaletteEntityType

/** Groups of results in the order in which they stand, with their labels. */
export const groupLabels = {
  suggested: 'Suggested for you',
  recent: 'Recent',
  navigation: 'Navigation',
  clusters: 'Clusters',
  workflows: 'Workflows',
  secrets: 'Secrets',
  databases: 'Databases',
  networks: 'Networks',
  actions: 'Quick Actions',
  settings: 'Settings',
  theme: 'Theme',
  user: 'User',
} as const

export type PaletteGroup = keyof typeof groupLabels
/** Groups that things belong to; the other two repeat things of these. */
export type HomeGroup = Exclude<PaletteGroup, 'suggested' | 'recent'>

interface BaseItem {
  /** Unique in the palette: type and what identifies it within the type. */
  id: string
  title: string
  description: string
  category: string
  group: HomeGroup
  /** What opens or runs it from anywhere, the specified chord first. */
  shortcuts: readonly Shortcut[]
}

interface RouteItem extends BaseItem {
  type: 'route'
  path: string
  /** Name of a service's icon. */
  icon: string
}

interface CommandItem<T extends 'action' | 'theme'> extends BaseItem {
  type: T
  command: Command
}

interface EntityItem<T extends PaletteEntityType> extends BaseItem {
  type: T
  path: string
  entity: PaletteEntity
}

/** Each type of item by its name. */
export interface PaletteItems {
  route: RouteItem
  action: CommandItem<'action'>
  theme: CommandItem<'theme'>
  cluster: EntityItem<'cluster'>
  workflow: EntityItem<'workflow'>
}

export type PaletteItem = PaletteItems[PaletteType]
