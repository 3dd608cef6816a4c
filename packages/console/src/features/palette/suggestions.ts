import { entityOf, isBelow, isFailing, paletteRule, paletteTypes } from '@bey/contract'
import { onceFor } from '../../lib/once-for.ts'
import type { PaletteItem, PaletteItems } from './item.ts'
import { itemsById } from './items.ts'

const maxSuggestions = 5

export interface SuggestionInput {
  /** The path of the page shown. */
  path: string
  /** Hour of the user's day, 0–23. */
  hour: number
  hasOrganization: boolean
  /** There is no cluster yet: what one begins with is suggested. */
  isFirstUse?: boolean
  theme: string
}

interface Suggestion {
  id: string
  /** Up to 10; equals keep the order of the rules. */
  priority: number
}

/** At most five items for the current page and current problems, most urgent first. */
export function suggest(items: readonly PaletteItem[], input: SuggestionInput): PaletteItem[] {
  const known = itemsById(items)
  const chosen = new Set<PaletteItem>()
  const ranked = rules(items, input).toSorted((one, other) => other.priority - one.priority)
  for (const { id } of ranked) {
    const item = known.get(id)
    if (item && chosen.size < maxSuggestions) chosen.add(item)
  }
  return [...chosen]
}

type EntityItem = PaletteItems['entity']

const entitiesOf = onceFor((items: readonly PaletteItem[]) =>
  Map.groupBy(
    items.filter((item): item is EntityItem => item.type === 'entity'),
    ({ entity }) => entity.type,
  ),
)

const fits = {
  // What runs says by its health that it fails, an operation by its status.
  failing: ({ entity }: EntityItem) =>
    isFailing(entity.type, entity.status) || entity.health?.state === 'failing',
  any: () => true,
  // The product's own things are used when their operation is asked for, never by themselves.
  unused: ({ entity }: EntityItem) => entity.lastUsedAt === null && !entity.isReadOnly,
}

function rules(items: readonly PaletteItem[], input: SuggestionInput): Suggestion[] {
  const { path, hour, hasOrganization, theme } = input
  const entities = entitiesOf(items)
  const all: Suggestion[] = []
  const add = (priority: number, ids: readonly string[]) => {
    for (const id of ids) all.push({ id, priority })
  }
  if (!hasOrganization) add(10, ['route:/workspaces/settings'])
  else if (input.isFirstUse) {
    add(9, ['action:create-cluster', 'action:import-clusters', 'route:/workspaces/members'])
  }
  for (const type of paletteTypes) {
    const { suggest: reasons } = paletteRule(type)
    // A type that is never suggested is not suggested to be created either.
    if (Object.keys(reasons).length > 0 && isBelow(path, entityOf(type).paths.list)) {
      add(10, [`action:create-${type}`])
    }
    const ofType = entities.get(type) ?? []
    for (const [reason, { priority, count }] of Object.entries(reasons)) {
      // The reasons of a rule are the keys of the table above.
      add(priority, firstIds(ofType, count, fits[reason as keyof typeof fits]))
    }
  }
  if ((hour < 6 || hour >= 20) && theme !== 'dark') add(3, ['theme:theme-dark'])
  if (hour >= 6 && hour < 18 && theme !== 'light') add(3, ['theme:theme-light'])
  return all
}

// Entities come newest first.
function firstIds(items: readonly EntityItem[], count: number, fitsRule: (item: EntityItem) => boolean) {
  const ids: string[] = []
  for (const item of items) {
    if (ids.length === count) break
    if (fitsRule(item)) ids.push(item.id)
  }
  return ids
}
