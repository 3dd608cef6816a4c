import type { FoundObject, IngressHost, PaletteEntity, PaletteType as EntityType } from '@bey/contract'
import type { DocHit } from '../../lib/docs.ts'
import { paletteRule, paletteTypes } from '@bey/contract'
import type { Command, Shortcut } from '../../lib/command.ts'

type FixedGroup =
  | 'navigation'
  | 'actions'
  | 'settings'
  | 'theme'
  | 'user'
  | 'hosts'
  | 'objects'
  | 'documentation'

/** Groups that things belong to; suggested and recent ones repeat things of these. */
export type HomeGroup = FixedGroup | EntityType
export type PaletteGroup = 'suggested' | 'recent' | HomeGroup

// Filled from the very list that the type is made from.
const entityGroups = Object.fromEntries(
  paletteTypes.map((type) => [type, paletteRule(type).group]),
) as Readonly<Record<EntityType, string>>

/** Groups of results in the order in which they stand, with their labels. */
export const groupLabels: Readonly<Record<PaletteGroup, string>> = {
  suggested: 'Suggested for you',
  recent: 'Recent',
  navigation: 'Navigation',
  ...entityGroups,
  actions: 'Quick Actions',
  settings: 'Settings',
  theme: 'Theme',
  user: 'User',
  hosts: 'Hosts',
  objects: 'Kubernetes objects',
  documentation: 'Documentation',
}

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

interface EntityItem extends BaseItem {
  type: 'entity'
  path: string
  entity: PaletteEntity
}

/** An object of a cluster, which the server finds; never among the items that are held. */
interface ObjectItem extends BaseItem {
  type: 'object'
  path: string
  object: FoundObject
}

/** A host of an ingress or a gateway, which the server finds; never among the items that are held. */
interface HostItem extends BaseItem {
  type: 'host'
  path: string
  host: IngressHost
}

/** A passage of the documentation; never among the items that are held. */
interface DocumentItem extends BaseItem {
  type: 'document'
  path: string
  hit: DocHit
}

/** Each type of item by its name. */
export interface PaletteItems {
  route: RouteItem
  action: CommandItem<'action'>
  theme: CommandItem<'theme'>
  entity: EntityItem
  object: ObjectItem
  host: HostItem
  document: DocumentItem
}

export type PaletteType = keyof PaletteItems
export type PaletteItem = PaletteItems[PaletteType]

/** Whether it was found for a query alone, and is not held: a recent one could not be listed. */
export const isFound = ({ type }: PaletteItem) => type === 'object' || type === 'host' || type === 'document'
