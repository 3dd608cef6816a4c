import { followedEntity, isIdOf, type EntityType, type Subscription } from '@bey/contract'
import { sql } from 'drizzle-orm'
import { entityTables, sqlIdType } from '../../tables/entity-tables.ts'
import type { Database, Db } from './database.ts'

/** Whether the organization has such a thing, and it is not deleted; or, where asked for, was deleted lately. */
export async function entityExists(
  db: Db,
  organizationId: number,
  { type, id }: { type: EntityType; id: string },
  { orDeleted = false }: { orDeleted?: boolean } = {},
): Promise<boolean> {
  if (!isIdOf(type, id)) return false
  const { name, id: column = 'id', deletedAt } = entityTables[type]
  const isThere = sql.raw(deletedAt === undefined || orDeleted ? 'true' : `${deletedAt} is null`)
  const found = await db.execute(
    sql`select 1 from ${sql.raw(name)} t
      where t.organization_id = ${organizationId} and t.${sql.raw(column)} = ${id}::${sql.raw(sqlIdType(type))} and ${isThere}`,
  )
  return found.rows.length > 0
}

/** Whether the organization has the entity of a subscription. */
export function followRule(database: Pick<Database, 'readTenant'>) {
  return async (organizationId: number, subscription: Subscription): Promise<boolean> => {
    const followed = followedEntity(subscription)
    if (!followed) return true
    return database.readTenant(organizationId, (db) => entityExists(db, organizationId, followed))
  }
}
