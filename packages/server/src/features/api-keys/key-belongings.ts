import { and, asc, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import type { BelongingsKind, Owner } from '../../platform/belongings.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { endAccess } from '../../platform/live/access-end.ts'
import { apiKeys } from '../../tables/api-keys.ts'
import { isLive, liveSecretIds, updateKey } from './store.ts'

/** API keys of a person, which end with the membership, and those that the person made for the organization. */
export function keyBelongings(clock: Clock): readonly BelongingsKind[] {
  return [
    {
      kind: 'api_keys',
      label: 'Personal API keys',
      hint: 'They act in the name of the person and end within a second, with what is open by them.',
      choices: ['end'],
      list: (db, of, limit) => listed(db, personal(of), limit),
      settle: (db, of) => end(db, of, personal(of), clock.now()),
    },
    {
      kind: 'organization_keys',
      label: 'API keys made for the organization',
      hint: 'Programs use them, and the person may know them. Transfer lets them write in the name of somebody else.',
      choices: ['keep', 'transfer', 'end'],
      list: (db, of, limit) => listed(db, made(of), limit),
      async settle(db, of, { choice, toUserId }) {
        if (choice === 'end') return end(db, of, made(of), clock.now())
        const ids = (await find(db, made(of))).map(({ id }) => id)
        if (choice === 'transfer' && toUserId !== undefined && ids.length > 0) {
          await db.update(apiKeys).set({ madeBy: toUserId }).where(inArray(apiKeys.id, ids))
        }
        return ids.length
      },
    },
  ]
}

const personal = ({ organizationId, userId }: Owner) =>
  and(eq(apiKeys.organizationId, organizationId), eq(apiKeys.ownerId, userId), isLive)

const made = ({ organizationId, userId }: Owner) =>
  and(eq(apiKeys.organizationId, organizationId), isNull(apiKeys.ownerId), eq(apiKeys.madeBy, userId), isLive)

function find(db: Db, where: SQL | undefined) {
  return db
    .select({ id: apiKeys.id, name: apiKeys.name, role: apiKeys.role })
    .from(apiKeys)
    .where(where)
    .orderBy(asc(apiKeys.name), asc(apiKeys.id))
}

async function listed(db: Db, where: SQL | undefined, limit: number) {
  const rows = await find(db, where)
  const items = rows.slice(0, limit).map(({ id, name, role }) => ({ id, name, detail: role }))
  return { total: rows.length, items }
}

/** Revokes keys, and ends what is open by them in every process; answers how many there were. */
async function end(db: Db, { organizationId }: Owner, where: SQL | undefined, now: Date): Promise<number> {
  const rows = await find(db, where)
  for (const { id } of rows) {
    await updateKey(db, organizationId, id, { revokedAt: now })
    for (const secretId of await liveSecretIds(db, organizationId, id)) {
      await endAccess(db, { kind: 'key', id: secretId })
    }
  }
  return rows.length
}
