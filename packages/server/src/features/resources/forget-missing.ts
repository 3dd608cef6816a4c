import { and, eq, inArray, isNotNull, isNull, lt } from 'drizzle-orm'

import type { Database } from '../../platform/db/database.ts'
import type { Retention } from '../../platform/db/retention.ts'
import { resourceTags } from '../../tables/resource-tags.ts'
import type { ReadInventory } from './inventory.ts'

/** Tags and owners are kept so long after their resource is gone: an object may be made again under its name. */
export const missingKeptDays = 30

const dayMs = 86_400_000

/**
 * Notes of which tagged resources no source of the inventory knows any more, and deletes what was written of them 30
 * days later. Where a source cannot be read at the moment, nothing of its organization is called missing.
 */
export function forgetMissing(
  database: Pick<Database, 'asSystem' | 'withTenant'>,
  read: ReadInventory,
): Retention {
  return async (now) => {
    const organizations = await database.asSystem('list organizations with tags of resources', (db) =>
      db.selectDistinct({ id: resourceTags.organizationId }).from(resourceTags),
    )
    for (const { id: organizationId } of organizations) {
      // As an owner of nothing of their own: everything but personal API keys, which only their holders tag.
      const inventory = await read({ organizationId, userId: 0, role: 'OWNER' })
      if (inventory.gaps.length > 0) continue
      const known = new Set(inventory.resources.map(({ id }) => id))
      await database.withTenant(organizationId, async (db) => {
        const rows = await db
          .select({ id: resourceTags.resourceId })
          .from(resourceTags)
          .where(eq(resourceTags.organizationId, organizationId))
        const [there, gone] = [
          rows.filter(({ id }) => known.has(id)),
          rows.filter(({ id }) => !known.has(id)),
        ]
        const ofIds = (some: readonly { id: string }[]) =>
          and(
            eq(resourceTags.organizationId, organizationId),
            inArray(
              resourceTags.resourceId,
              some.map(({ id }) => id),
            ),
          )
        await db
          .update(resourceTags)
          .set({ missingSince: null })
          .where(and(ofIds(there), isNotNull(resourceTags.missingSince)))
        await db
          .update(resourceTags)
          .set({ missingSince: now })
          .where(and(ofIds(gone), isNull(resourceTags.missingSince)))
        const before = new Date(now.getTime() - missingKeptDays * dayMs)
        await db.delete(resourceTags).where(and(ofIds(gone), lt(resourceTags.missingSince, before)))
      })
    }
  }
}
