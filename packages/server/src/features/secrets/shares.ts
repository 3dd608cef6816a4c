import { act, linkHolder } from '../../platform/act.ts'
import { randomUUID } from 'node:crypto'
import { secretLimits, type SecretShare } from '@bey/contract'
import { findShareOrganization } from '../../platform/db/gateway.ts'
import { AppError } from '../../platform/errors.ts'
import { networkOf } from '../../platform/http/client-address.ts'
import type { PublicCaller } from '../../platform/http/handlers.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { rateBuckets } from '../../platform/rate-buckets.ts'
import { accessIncludes } from '@bey/contract'
import { openSecret, recordDenial, type SecretParts, secretTarget, type Who } from './parts.ts'
import { requireAccess } from './access.ts'
import { presentActor } from '../../platform/present-actor.ts'
import {
  countWaiting,
  insertShare,
  listShares,
  lockWaiting,
  type ShareRow,
  wipeShare,
} from './share-store.ts'
import { findSecret } from './store.ts'

type NewShare = { ciphertext: string; expiresInHours: number; secretId?: string | undefined }

/** Links of one network that are tried; a person opens one now and then. */
const perNetwork = { burst: 10, perSecond: 1 / 10 }
/** Of all networks together. */
const inAll = { burst: 200, perSecond: 10 }

/** Links that give a value to somebody once. What is kept here opens nothing without the key in the link. */
export function createShares({ database, clock }: SecretParts) {
  const networks = rateBuckets(clock, perNetwork)
  const everybody = rateBuckets(clock, inAll, 1)

  const present = (row: ShareRow): SecretShare => ({
    id: row.id,
    secretId: row.secretId,
    status: statusOf(row, clock.now()),
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    openedAt: row.openedAt?.toISOString() ?? null,
    openedIp: row.openedIp,
  })

  return {
    async list({ secretId, limit }: { secretId?: string | undefined; limit: number }, who: Who) {
      const { organizationId, user } = who
      return database.readTenant(organizationId, async (db) => {
        if (secretId === undefined) {
          const own = await listShares(db, organizationId, { createdBy: user.id, limit })
          return { shares: own.map(present) }
        }
        await openSecret(db, secretId, who)
        return { shares: (await listShares(db, organizationId, { secretId, limit })).map(present) }
      })
    },

    async create({ ciphertext, expiresInHours, secretId }: NewShare, who: Who) {
      const { organizationId, user } = who
      const secret =
        secretId === undefined
          ? undefined
          : await database.readTenant(organizationId, (db) => openSecret(db, secretId, who))
      if (secret && (secret.access === null || !accessIncludes(secret.access, 'read'))) {
        await recordDenial(database, secret.row, 'secret.share', 'A link was asked for', who)
        requireAccess(secret.access, 'read', secret.row.name)
      }
      // Random in all its bits, unlike the ids that are sorted by time: it is what a stranger would have to guess.
      const id = randomUUID()
      return database.withTenant(organizationId, async (db) => {
        const now = clock.now()
        if ((await countWaiting(db, organizationId, now)) >= secretLimits.shares) {
          throw new AppError(
            'limit_reached',
            `This organization has ${secretLimits.shares} links that wait to be opened. Revoke some.`,
          )
        }
        const expiresAt = new Date(now.getTime() + expiresInHours * 3_600_000)
        await insertShare(db, {
          id,
          organizationId,
          secretId: secretId ?? null,
          ciphertext,
          createdBy: user.id,
          createdAt: now,
          expiresAt,
        })
        const diff = { shareId: id, expiresAt: expiresAt.toISOString() }
        if (secret)
          await act(db, who, {
            action: 'secret.share',
            class: 'read',
            diff,
            target: secretTarget(secret.row),
          })
        const [row] = await listShares(db, organizationId, { id, limit: 1 })
        if (row === undefined) throw new Error('The link was not stored')
        return keepReply(db, present(row))
      })
    },

    /** Answers the ciphertext once. Opened, expired, revoked and never made look the same to a stranger. */
    async open(id: string, caller: PublicCaller) {
      const { ip } = caller
      if (!networks.take(networkOf(ip)).isAllowed || !everybody.take('').isAllowed) {
        throw new AppError('rate_limited', 'Too many links were opened from here. Wait a minute.')
      }
      const organizationId = await findShareOrganization(database.pool, id)
      if (organizationId === undefined) throw unknownLink()
      return database.withTenant(organizationId, async (db) => {
        const now = clock.now()
        const found = await lockWaiting(db, organizationId, id, now)
        if (!found?.ciphertext) throw unknownLink()
        await wipeShare(db, organizationId, id, { openedAt: now, openedIp: ip })
        const secret = found.secretId ? await findSecret(db, organizationId, found.secretId) : undefined
        await act(db, linkHolder(organizationId, id, caller), {
          action: 'secret.share.open',
          class: 'read',
          target: secret ? secretTarget(secret) : { type: 'secret-share', id },
          diff: { shareId: id },
        })
        return { ciphertext: found.ciphertext }
      })
    },

    revoke(id: string, who: Who) {
      const { organizationId, user, role } = who
      return database.withTenant(organizationId, async (db) => {
        const [row] = await listShares(db, organizationId, { id, limit: 1 })
        if (row === undefined)
          throw new AppError('not_found', 'This link does not exist in this organization.')
        const secret = row.secretId ? await openSecret(db, row.secretId, who) : undefined
        const isMighty = role === 'OWNER' || role === 'ADMIN'
        if (row.createdBy !== user.id && !isMighty && secret?.access !== 'manage') {
          throw new AppError(
            'forbidden',
            'Only the person who made a link, or manages its secret, can revoke it.',
          )
        }
        if (!(await wipeShare(db, organizationId, id, { revokedAt: clock.now() }))) {
          throw new AppError('conflict', 'This link was opened or revoked already.')
        }
        const diff = { shareId: id }
        if (secret) {
          await act(db, who, {
            action: 'secret.share.revoke',
            class: 'update',
            diff,
            target: secretTarget(secret.row),
          })
        }
        return null
      })
    },
  }
}

function statusOf({ openedAt, revokedAt, expiresAt }: ShareRow, now: Date): SecretShare['status'] {
  if (openedAt) return 'opened'
  if (revokedAt) return 'revoked'
  return expiresAt <= now ? 'expired' : 'waiting'
}

function unknownLink(): AppError {
  return new AppError(
    'not_found',
    'This link does not open anything: it was opened already, has expired or was revoked. Ask for another one.',
  )
}
