import { accessIncludes } from '@bey/contract'
import { and, asc, eq, gt, isNotNull } from 'drizzle-orm'
import type { BelongingsKind, Owner } from '../../platform/belongings.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db/database.ts'
import { secretGrants } from '../../tables/secret-grants.ts'
import { secretShares } from '../../tables/secret-shares.ts'
import { secrets } from '../../tables/secrets.ts'
import { wipeShare } from './share-store.ts'

/** What was granted to a person by name. */
const grantBelongings: BelongingsKind = {
  kind: 'secret_grants',
  label: 'Access to secrets',
  hint: 'Secrets that were granted to the person by name. Transfer gives the same access to somebody else.',
  choices: ['end', 'transfer'],
  async list(db, of, limit) {
    const rows = await grantsOf(db, of)
    const items = rows
      .slice(0, limit)
      .map(({ secretId, name, access }) => ({ id: secretId, name, detail: access }))
    return { total: rows.length, items }
  },
  async settle(db, of, { choice, toUserId, by }) {
    const rows = await grantsOf(db, of)
    if (choice === 'transfer' && toUserId !== undefined) {
      const held = new Map(
        (await grantsOf(db, { ...of, userId: toUserId })).map(({ secretId, access }) => [secretId, access]),
      )
      for (const { secretId, access } of rows) {
        const has = held.get(secretId)
        if (has !== undefined && accessIncludes(has, access)) continue
        await db
          .insert(secretGrants)
          .values({ ...subject(of.organizationId, toUserId), secretId, access, grantedBy: by.userId })
          .onConflictDoUpdate({
            target: [
              secretGrants.organizationId,
              secretGrants.secretId,
              secretGrants.subjectType,
              secretGrants.subjectId,
            ],
            set: { access },
          })
      }
    }
    await db.delete(secretGrants).where(isSubject(of))
    return rows.length
  },
}

/** Links to values that a person made and nobody has opened. */
const linkBelongings = (clock: Clock): BelongingsKind => ({
  kind: 'secret_links',
  label: 'Links to secrets',
  hint: 'Links that the person made and nobody has opened. Ended ones open nothing any more.',
  choices: ['end', 'keep'],
  async list(db, of, limit) {
    const rows = await waitingLinks(db, of, clock.now())
    const items = rows.slice(0, limit).map(({ id, name, expiresAt }) => ({
      id,
      name: name ?? 'A text',
      detail: `expires ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    }))
    return { total: rows.length, items }
  },
  async settle(db, of, { choice }) {
    const now = clock.now()
    const rows = await waitingLinks(db, of, now)
    if (choice === 'end')
      for (const { id } of rows) await wipeShare(db, of.organizationId, id, { revokedAt: now })
    return rows.length
  },
})

export function secretBelongings(clock: Clock): readonly BelongingsKind[] {
  return [grantBelongings, linkBelongings(clock)]
}

const subject = (organizationId: number, userId: number) =>
  ({ organizationId, subjectType: 'user', subjectId: String(userId) }) as const

const isSubject = ({ organizationId, userId }: Owner) =>
  and(
    eq(secretGrants.organizationId, organizationId),
    eq(secretGrants.subjectType, 'user'),
    eq(secretGrants.subjectId, String(userId)),
  )

function grantsOf(db: Db, of: Owner) {
  return db
    .select({ secretId: secretGrants.secretId, name: secrets.name, access: secretGrants.access })
    .from(secretGrants)
    .innerJoin(
      secrets,
      and(eq(secrets.organizationId, of.organizationId), eq(secrets.id, secretGrants.secretId)),
    )
    .where(isSubject(of))
    .orderBy(asc(secrets.name))
}

function waitingLinks(db: Db, { organizationId, userId }: Owner, now: Date) {
  return db
    .select({ id: secretShares.id, name: secrets.name, expiresAt: secretShares.expiresAt })
    .from(secretShares)
    .leftJoin(secrets, and(eq(secrets.organizationId, organizationId), eq(secrets.id, secretShares.secretId)))
    .where(
      and(
        eq(secretShares.organizationId, organizationId),
        eq(secretShares.createdBy, userId),
        isNotNull(secretShares.ciphertext),
        gt(secretShares.expiresAt, now),
      ),
    )
    .orderBy(asc(secretShares.createdAt))
}
