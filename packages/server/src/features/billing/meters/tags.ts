import { sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'

export type Tagged = { owner: { id: number; name: string } | undefined; labels: Record<string, string> }

const none: Tagged = { owner: undefined, labels: {} }

/** Owners and labels of resources, by their ids in the inventory: what people gave them as tags. */
export async function readTags(
  db: Db,
  organizationId: number,
): Promise<(...ids: readonly string[]) => Tagged> {
  const { rows } = await db.execute<{
    id: string
    tags: string[]
    ownerId: number | null
    ownerName: string | null
  }>(sql`
    select t.resource_id as id, t.tags, t.owner_id as "ownerId", u.name as "ownerName"
    from resource_tags t left join users u on u.id = t.owner_id where t.organization_id = ${organizationId}`)
  const tagged = new Map(rows.map((row) => [row.id, row]))
  const cache = new Map<string, Tagged>()
  /** Of the first that has an owner; labels of all, those of the first win. */
  return (...ids) => {
    const key = ids.join('\n')
    const found = cache.get(key)
    if (found) return found
    const all = ids.flatMap((id) => tagged.get(id) ?? [])
    const owned = all.find(({ ownerId }) => ownerId !== null)
    const made: Tagged =
      all.length === 0
        ? none
        : {
            owner:
              owned?.ownerId == null
                ? undefined
                : { id: owned.ownerId, name: owned.ownerName ?? 'Former member' },
            labels: Object.assign({}, ...all.toReversed().map(({ tags }) => labelsOf(tags))),
          }
    cache.set(key, made)
    return made
  }
}

/** `team=shop` is a label; a tag without a value is none. */
function labelsOf(tags: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    tags.flatMap((tag) => {
      const at = tag.indexOf('=')
      return at < 1 ? [] : [[tag.slice(0, at), tag.slice(at + 1)] as const]
    }),
  )
}
