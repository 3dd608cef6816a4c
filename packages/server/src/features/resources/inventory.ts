import { resourceKinds, resourceMarks, type ResourceRow } from '@bey/contract'

import type { Database } from '../../platform/db/database.ts'
import {
  distinctGaps,
  type InventoryAsk,
  type InventoryGap,
  type InventorySource,
  type Resource,
} from '../../platform/inventory.ts'
import { hasMark, type Tagging, type Taggings } from './match.ts'
import { readTags } from './store.ts'

export type Inventory = {
  resources: readonly Resource[]
  gaps: readonly InventoryGap[]
  taggings: Taggings
  /** Owners that no longer belong to the organization, by their ids. */
  former: ReadonlySet<number>
}

export type ReadInventory = (ask: InventoryAsk, kinds?: ReadonlySet<string>) => Promise<Inventory>

const allKinds = new Set(resourceKinds.map(({ kind }) => kind))

/** Reads all sources at the same time, with what members wrote about the resources. */
export function inventoryReader(
  database: Pick<Database, 'readTenant'>,
  sources: () => readonly InventorySource[],
): ReadInventory {
  return async (ask, kinds = allKinds) => {
    const wanted = sources().filter((source) => source.kinds.some((kind) => kinds.has(kind)))
    const [tags, ...lists] = await Promise.all([
      database.readTenant(ask.organizationId, (db) => readTags(db, ask.organizationId)),
      ...wanted.map((source) => source.list(ask, kinds)),
    ])
    const taggings = new Map<string, Tagging>()
    const former = new Set<number>()
    for (const { resourceId, tags: own, ownerId, ownerName, ownerEmail, isMember } of tags) {
      // Names of people who have left are not read any more.
      const owner =
        ownerId === null ? null : { id: ownerId, name: ownerName ?? 'Former member', email: ownerEmail ?? '' }
      if (owner && !isMember) former.add(owner.id)
      taggings.set(resourceId, { tags: own, owner })
    }
    const resources = lists.length === 1 ? (lists[0]?.resources ?? []) : joined(lists)
    const gaps = distinctGaps(lists.flatMap((list) => list.gaps)).slice(0, mostGaps)
    return { resources, gaps, taggings, former }
  }
}

const mostGaps = 500

function joined(lists: readonly { resources: readonly Resource[] }[]): Resource[] {
  const all: Resource[] = []
  // A spread would put each resource on the stack.
  for (const { resources } of lists) for (const each of resources) all.push(each)
  return all
}

/** A resource as it is answered. */
export function present(
  resource: Resource,
  { taggings, former }: Pick<Inventory, 'taggings' | 'former'>,
): ResourceRow {
  const tagging = taggings.get(resource.id)
  const owner = tagging?.owner
  const { expiresAt: _, ...listed } = resource
  return {
    ...listed,
    labels: { ...resource.labels },
    tags: [...(tagging?.tags ?? [])],
    owner: owner ? { id: owner.id, name: owner.name, isMember: !former.has(owner.id) } : null,
    marks: resourceMarks.filter((mark) => hasMark(mark, resource, tagging)),
  }
}
