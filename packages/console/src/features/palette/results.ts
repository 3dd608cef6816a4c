import { paletteTypes } from '@bey/contract'
import { onceFor } from '../../lib/once-for.ts'
import { groupLabels } from './item.ts'
import type { HomeGroup, PaletteGroup, PaletteItem } from './item.ts'

export type Row =
  | { kind: 'group'; key: string; label: string; count: number | undefined }
  | { kind: 'option'; group: string; item: PaletteItem; index: number }

/** Of each kind of entity so many stand in the list before anything is typed. */
const shownWithoutQuery = 5

// In the order of the labels, whose keys are the groups.
const homeGroups = (Object.keys(groupLabels) as PaletteGroup[]).filter(
  (group): group is HomeGroup => group !== 'suggested' && group !== 'recent',
)

const isEntityGroup = (group: string) => paletteTypes.some((type) => type === group)

interface Section {
  key: string
  label: string
  items: readonly PaletteItem[]
  /** How many there are, where not all are listed. */
  total?: number
}

/** What is listed before anything is typed: suggested, recent, then everything in its group. */
export function restingRows(
  items: readonly PaletteItem[],
  suggested: readonly PaletteItem[],
  recent: readonly PaletteItem[],
): Row[] {
  const homes = byGroup(items).map((section) =>
    isEntityGroup(section.key) && section.items.length > shownWithoutQuery
      ? { ...section, items: section.items.slice(0, shownWithoutQuery), total: section.items.length }
      : section,
  )
  return rowsOf([
    { key: 'suggested', label: groupLabels.suggested, items: suggested },
    { key: 'recent', label: groupLabels.recent, items: recent },
    ...homes,
  ])
}

/**
 * What a query found. Typo matches come later and therefore stand last, under a heading of their own, unless
 * nothing else was found: then nothing can move, and each stands in its group. Hosts and objects of clusters, which the
 * server finds, and passages of the documentation come last of all.
 */
export function foundRows(
  quick: readonly PaletteItem[],
  similar: readonly PaletteItem[],
  objects: readonly PaletteItem[] = [],
  hosts: readonly PaletteItem[] = [],
  documents: readonly PaletteItem[] = [],
): Row[] {
  const last: Section[] = [
    { key: 'hosts', label: groupLabels.hosts, items: hosts },
    { key: 'objects', label: groupLabels.objects, items: failingFirst(objects) },
    { key: 'documentation', label: groupLabels.documentation, items: documents },
  ]
  if (quick.length === 0) return rowsOf([...byGroup(similar), ...last])
  const known = new Set(quick.map((item) => item.id))
  const others = similar.filter((item) => !known.has(item.id))
  return rowsOf([...byGroup(quick), { key: 'similar', label: 'Similar names', items: others }, ...last])
}

/** The best matches come first; of those that run, before them those that fail. */
const failingFirst = (items: readonly PaletteItem[]) =>
  items.toSorted((one, other) => Number(isFailingObject(other)) - Number(isFailingObject(one)))

const isFailingObject = (item: PaletteItem) =>
  item.type === 'object' && item.object.health?.state === 'failing'

const byGroup = onceFor((items: readonly PaletteItem[]): readonly Section[] => {
  const sorted = Map.groupBy(items, (item) => item.group)
  return homeGroups.map((group) => ({
    key: group,
    label: groupLabels[group],
    items: sorted.get(group) ?? [],
  }))
})

function rowsOf(sections: readonly Section[]): Row[] {
  const rows: Row[] = []
  let index = 0
  for (const { key, label, items, total } of sections) {
    if (items.length === 0) continue
    rows.push({ kind: 'group', key, label, count: total })
    for (const item of items) {
      rows.push({ kind: 'option', group: key, item, index })
      index += 1
    }
  }
  return rows
}
