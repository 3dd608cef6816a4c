import { type ParsedInput, resourceLimits } from '@bey/contract'

import { act } from '../../platform/act.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import type { ReadInventory } from './inventory.ts'
import { countTagged, deleteTags, findMember, lockTags, readTagsOf, writeTags } from './store.ts'

type Change = ParsedInput<'resources.tag'>['body']
type Written = { tags: string[]; ownerId: number | null }

/** Tags of many resources and their owner, changed together. What the caller may not read cannot be tagged. */
export function createTagging(database: Database, read: ReadInventory) {
  return async (caller: TenantCaller, change: Change): Promise<{ changed: number }> => {
    const { organizationId, role, user } = caller
    const ids = [...new Set(change.ids)]
    const kinds = new Set(ids.map((id) => id.slice(0, id.indexOf(':'))))
    const { resources } = await read({ organizationId, userId: user.id, role }, kinds)
    const wanted = new Set(ids)
    const found = resources.filter(({ id }) => wanted.has(id))
    if (found.length < ids.length) {
      const known = new Set(found.map(({ id }) => id))
      const missing = ids.find((id) => !known.has(id)) ?? ''
      throw new AppError('not_found', `There is no resource ${missing}. It may be gone; read the list again.`)
    }
    return database.withTenant(organizationId, async (db) => {
      await lockTags(db, organizationId)
      const ownerName = await nameOfOwner(db, organizationId, change.ownerId)
      const before = new Map(
        (await readTagsOf(db, organizationId, ids)).map(({ resourceId, tags, ownerId }) => [
          resourceId,
          { tags, ownerId },
        ]),
      )
      const rows = ids.flatMap((resourceId) => {
        const old = before.get(resourceId) ?? { tags: [], ownerId: null }
        const next = changed(old, change)
        return isSame(old, next) ? [] : [{ resourceId, ...next }]
      })
      if (rows.length === 0) return keepReply(db, { changed: 0 })
      const isEmpty = ({ tags, ownerId }: Written) => tags.length === 0 && ownerId === null
      const kept = rows.filter((row) => !isEmpty(row))
      const added = kept.filter(({ resourceId }) => !before.has(resourceId)).length
      if (added > 0 && (await countTagged(db, organizationId)) + added > resourceLimits.tagged) {
        throw new AppError(
          'limit_reached',
          `This organization has tags or owners of ${resourceLimits.tagged} resources, which is the most it can have.`,
        )
      }
      if (kept.length > 0) await writeTags(db, organizationId, kept)
      const emptied = rows.filter(isEmpty).map(({ resourceId }) => resourceId)
      if (emptied.length > 0) await deleteTags(db, organizationId, emptied)
      const [first] = found
      await act(db, caller, {
        action: 'resources.tag',
        class: 'update',
        target: {
          type: 'resource',
          ...(rows.length === 1 && { id: rows[0]?.resourceId ?? '' }),
          name: rows.length === 1 ? (first?.name ?? '') : `${rows.length} resources`,
        },
        diff: {
          ids: rows.map(({ resourceId }) => resourceId),
          ...(change.add.length > 0 && { added: change.add }),
          ...(change.remove.length > 0 && { removed: change.remove }),
          ...(change.ownerId !== undefined && { owner: ownerName }),
        },
        event: { type: 'RESOURCES_UPDATE', data: { changed: rows.length } },
      })
      return keepReply(db, { changed: rows.length })
    })
  }
}

async function nameOfOwner(
  db: Db,
  organizationId: number,
  ownerId: number | null | undefined,
): Promise<string | null> {
  if (ownerId == null) return null
  const member = await findMember(db, organizationId, ownerId)
  if (member) return member.name
  throw new AppError('not_found', 'The owner is no member of this organization. Choose a member.')
}

/** Tags by the same name replace each other: `team=shop` takes the place of `team=web`. */
function changed({ tags, ownerId }: Written, change: Change): Written {
  const removed = new Set(change.remove)
  const names = new Set(change.add.map(nameOf))
  const kept = tags.filter((tag) => !removed.has(tag) && !names.has(nameOf(tag)))
  const next = [...new Set([...kept, ...change.add])].toSorted()
  if (next.length > resourceLimits.tags) {
    throw new AppError(
      'limit_reached',
      `A resource has at most ${resourceLimits.tags} tags. Remove some first.`,
    )
  }
  return { tags: next, ownerId: change.ownerId === undefined ? ownerId : change.ownerId }
}

const nameOf = (tag: string) => tag.split('=')[0]

function isSame(a: Written, b: Written): boolean {
  return a.ownerId === b.ownerId && a.tags.join('\n') === b.tags.join('\n')
}
