import { and, eq } from 'drizzle-orm'
import type { BelongingsKind } from '../../platform/belongings.ts'
import { resourceTags } from '../../tables/resource-tags.ts'

/** Resources that a person looks after: without a choice they stay theirs, and are shown as a former member's. */
export const ownedResources: BelongingsKind = {
  kind: 'resources',
  label: 'Owner of resources',
  hint: 'Kept ones name the person as a former member. Ended ones have no owner.',
  choices: ['keep', 'transfer', 'end'],
  async list(db, { organizationId, userId }, limit) {
    const rows = await db
      .select({ id: resourceTags.resourceId })
      .from(resourceTags)
      .where(and(eq(resourceTags.organizationId, organizationId), eq(resourceTags.ownerId, userId)))
      .orderBy(resourceTags.resourceId)
    const items = rows.slice(0, limit).map(({ id }) => {
      const kind = id.slice(0, id.indexOf(':'))
      return { id, name: id.slice(kind.length + 1), detail: kind }
    })
    return { total: rows.length, items }
  },
  async settle(db, { organizationId, userId }, { choice, toUserId }) {
    const isTheirs = and(eq(resourceTags.organizationId, organizationId), eq(resourceTags.ownerId, userId))
    if (choice === 'keep') return db.$count(resourceTags, isTheirs)
    if (choice === 'transfer' && toUserId === undefined) return 0
    const { rowCount } = await db
      .update(resourceTags)
      .set({ ownerId: choice === 'transfer' ? toUserId : null })
      .where(isTheirs)
    return rowCount ?? 0
  },
}
