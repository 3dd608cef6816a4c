import { followedEntity, isIdOf, type EntityType, type Subscription } from '@bey/contract'
import { sql } from 'drizzle-orm'
import { entityTables, sqlIdType } from '../../tables/entity-tables.ts'
import type { Database, Db } from './database.ts'

/** Whether the organization has such a thing, and it is not deleted. */
export async function entityExists(
  db: Db,
  organizationId: number,
  { type, id }: { type: EntityType; id: string },
): Promise<boolean> {
  if (!isIdOf(type, id)) return false
  const { name, id: column = 'id', deletedAt } = entityTables[type]
  const isThere = sql.raw(deletedAt === undefined ? 'true' : `${deletedAt} is null`)
  const found = await db.execute(
    sql`select 1 from ${sql.raw(name)} t
      where t.organization_id = ${organizationId} and t.${sql.raw(column)} = ${id}::${sql.raw(sqlIdType(type))} and ${isThere}`,
  )
  return found.rows.length > 0
}

/** The first of several things of one type that the organization never had; undefined where it had, or has, all. */
export async function firstMissing(
  db: Db,
  organizationId: number,
  type: EntityType,
  ids: readonly string[],
): Promise<string | undefined> {
  const odd = ids.find((id) => !isIdOf(type, id))
  if (odd !== undefined) return odd
  const { name, id: column = 'id' } = entityTables[type]
  const { rows } = await db.execute<{ id: string }>(
    sql`select a.id from unnest(${sql.param(ids)}::text[]) with ordinality a (id, position)
      where not exists (select from ${sql.raw(name)} t
        where t.organization_id = ${organizationId} and t.${sql.raw(column)} = a.id::${sql.raw(sqlIdType(type))})
      order by a.position limit 1`,
  )
  return rows[0]?.id
}

/** Whether the organization has the entity of a subscription. */
export function followRule(database: Pick<Database, 'readTenant'>) {
  return async (organizationId: number, subscription: Subscription): Promise<boolean> => {
    const followed = followedEntity(subscription)
    if (!followed) return true
    return database.readTenant(organizationId, (db) => entityExists(db, organizationId, followed))
  }
}
