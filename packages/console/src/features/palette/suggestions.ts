import { isBelow } from '@bey/contract'
import { onceFor } from '../../lib/once-for.ts'
import type { PaletteItem, PaletteItems } from './item.ts'
import { itemsById } from './items.ts'

const maxSuggestions = 5

export interface Situation {
  /** The path of the page shown. */
  path: string
  /** Hour of the user's day, 0–23. */
  hour: number
  hasOrganization: boolean
  theme: string
}

interface Suggestion {
  id: string
  /** Up to 10; equals keep the order of the rules. */
  priority: number
}

const failedRuns = new Set(['failed', 'timed_out', 'needs_attention'])

/** At most five items that fit where one is and what is amiss, most urgent first. */
export function suggest(items: readonly PaletteItem[], situation: Situation): PaletteItem[] {
  const known = itemsById(items)
  const chosen = new Set<PaletteItem>()
  const ranked = rules(items, situation).toSorted((one, other) => other.priority - one.priority)
  for (const { id } of ranked) {
    const item = known.get(id)
    if (item && chosen.size < maxSuggestions) chosen.add(item)
  }
  return [...chosen]
}

const entitiesOf = onceFor((items: readonly PaletteItem[]) => ({
  clusters: items.filter((item): item is PaletteItems['cluster'] => item.type === 'cluster'),
  workflows: items.filter((item): item is PaletteItems['workflow'] => item.type === 'workflow'),
}))

function rules(items: readonly PaletteItem[], situation: Situation): Suggestion[] {
  const { path, hour, hasOrganization, theme } = situation
  const { clusters, workflows } = entitiesOf(items)
  const all: Suggestion[] = []
  const add = (priority: number, ids: readonly string[]) => {
    for (const id of ids) all.push({ id, priority })
  }
  if (!hasOrganization) add(10, ['route:/workspaces/settings'])
  if (isBelow(path, '/kubernetes/clusters')) add(10, ['action:create-cluster'])
  if (isBelow(path, '/workflows')) add(10, ['action:create-workflow'])
  add(
    9,
    firstIds(clusters, 2, ({ entity }) => entity.status === 'ERROR' || entity.status === 'FAILED'),
  )
  add(
    8,
    firstIds(workflows, 2, ({ entity }) => failedRuns.has(entity.status)),
  )
  add(
    7,
    firstIds(clusters, 3, () => true),
  )
  // The product's own workflows run when their operation is asked for, never by themselves.
  add(
    6,
    firstIds(workflows, 2, ({ entity }) => entity.lastRunAt === null && !entity.isBuiltIn),
  )
  if ((hour < 6 || hour >= 20) && theme !== 'dark') add(3, ['theme:theme-dark'])
  if (hour >= 6 && hour < 18 && theme !== 'light') add(3, ['theme:theme-light'])
  return all
}

// Entities come newest first.
function firstIds<T extends PaletteItem>(items: readonly T[], count: number, fits: (item: T) => boolean) {
  const ids: string[] = []
  for (const item of items) {
    if (ids.length === count) break
    if (fits(item)) ids.push(item.id)
  }
  return ids
}
