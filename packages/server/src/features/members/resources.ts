import { eq } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'

import type { Database } from '../../platform/db/database.ts'
import { entitySource, type InventorySource } from '../../platform/inventory.ts'
import { memberships } from '../../tables/memberships.ts'
import { users } from '../../tables/users.ts'

const inviters = alias(users, 'inviters')

/** Members for the inventory; who invited them counts as who made them. */
export function memberResources(database: Pick<Database, 'readTenant'>): InventorySource {
  return entitySource(database, 'member', (db, { organizationId }) =>
    db
      .select({
        id: memberships.userId,
        name: users.name,
        createdBy: memberships.invitedBy,
        createdByName: inviters.name,
        createdAt: memberships.createdAt,
      })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .leftJoin(inviters, eq(inviters.id, memberships.invitedBy))
      .where(eq(memberships.organizationId, organizationId)),
  )
}
