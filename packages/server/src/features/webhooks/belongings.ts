import { and, asc, eq, inArray } from 'drizzle-orm'
import type { BelongingsKind, Owner } from '../../platform/belongings.ts'
import type { Db } from '../../platform/db/database.ts'
import { webhooks } from '../../tables/webhooks.ts'

/** Webhooks that a person made: they belong to the organization, but their addresses may be the person's. */
export const webhookBelongings: BelongingsKind = {
  kind: 'webhooks',
  label: 'Webhooks',
  hint: 'Kept ones go on sending events to their addresses. Ended ones are paused, and can be deleted later.',
  choices: ['keep', 'transfer', 'end'],
  async list(db, of, limit) {
    const rows = await madeBy(db, of)
    const items = rows.slice(0, limit).map(({ id, name, url }) => ({ id, name, detail: new URL(url).host }))
    return { total: rows.length, items }
  },
  async settle(db, of, { choice, toUserId }) {
    const ids = (await madeBy(db, of)).map(({ id }) => id)
    if (ids.length === 0) return 0
    const isOne = inArray(webhooks.id, ids)
    if (choice === 'end') {
      await db
        .update(webhooks)
        .set({ status: 'paused' })
        .where(and(isOne, eq(webhooks.status, 'enabled')))
    }
    if (choice === 'transfer' && toUserId !== undefined) {
      await db.update(webhooks).set({ createdBy: toUserId }).where(isOne)
    }
    return ids.length
  },
}

function madeBy(db: Db, { organizationId, userId }: Owner) {
  return db
    .select({ id: webhooks.id, name: webhooks.name, url: webhooks.url })
    .from(webhooks)
    .where(and(eq(webhooks.organizationId, organizationId), eq(webhooks.createdBy, userId)))
    .orderBy(asc(webhooks.name))
}
