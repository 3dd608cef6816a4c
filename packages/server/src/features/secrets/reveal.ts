import { act } from '../../platform/act.ts'
import { AppError } from '../../platform/errors.ts'
import { unavailable } from '../../platform/db/failure.ts'
import { rateLimit } from '../../platform/live/rate.ts'
import { accessIncludes } from '@bey/contract'
import { requireAccess } from './access.ts'
import {
  openSecret,
  openValue,
  readerName,
  recordDenial,
  sealContext,
  type SecretParts,
  secretTarget,
  type Who,
} from './parts.ts'
import { type SecretRow, touchSecret } from './store.ts'
import { recordUse, type Use } from './use-store.ts'
import { decodeValue } from './value.ts'
import { findSealed } from './version-store.ts'

/** Values that one person may reveal: enough to work, too few to carry a store away unseen. */
const limit = { burst: 30, perSecond: 0.5 }

/** Gives a value to somebody; besides the export the only way by which one leaves the server. */
export function createReveal({ database, dataKeys, clock }: SecretParts) {
  const buckets = new Map<number, () => boolean>()

  function takeTurn(userId: number): void {
    const take = buckets.get(userId) ?? rateLimit(clock, limit)
    buckets.set(userId, take)
    if (take()) return
    throw new AppError('rate_limited', 'You revealed many secrets in a short time. Wait a few seconds.')
  }

  /**
   * Answers the value once the audit row of this read is committed, and not before: a value that nobody recorded is
   * never sent.
   */
  return async function reveal(
    id: string,
    input: { reason: string; version?: number | undefined },
    who: Who,
  ) {
    const { organizationId } = who
    takeTurn(who.user.id)
    // In one transaction, for each costs round trips; a refusal is recorded once it is rolled back.
    const refused: { row?: SecretRow } = {}
    const revealed = database.withTenant(organizationId, async (db) => {
      // Asked together, each part is one round trip.
      const [{ row, access }, found, open] = await Promise.all([
        openSecret(db, id, who),
        findSealed(db, organizationId, id, input.version ?? 'current'),
        dataKeys.opener(db, organizationId),
      ])
      if (access === null || !accessIncludes(access, 'read')) {
        refused.row = row
        requireAccess(access, 'read', row.name)
      }
      if (row.status !== 'active') {
        const state = row.status === 'disabled' ? 'disabled. Enable' : 'being deleted. Restore'
        throw new AppError('conflict', `The secret "${row.name}" is ${state} it first.`)
      }
      const version = input.version ?? row.currentVersion
      if (found === undefined) throw new AppError('not_found', `This secret has no version ${version}.`)
      if (found.sealed === null) {
        throw new AppError('conflict', `Version ${version} was destroyed. Choose another.`)
      }
      if (found.status === 'soft_deleted') {
        throw new AppError('conflict', `Version ${version} is deleted. Undelete it first, or choose another.`)
      }
      const { sealed, version: opened } = found
      const plain = await openValue(row, opened, () => open(sealed, sealContext(id, opened)))
      const at = clock.now()
      const subject = readerOf(who)
      const diff = { reason: input.reason, version: found.version }
      // Before the entry: if the trail refuses it, that error is the one that is told.
      await recordUse(db, { organizationId, secretId: id, version: found.version, at, ...subject })
      await Promise.all([
        touchSecret(db, organizationId, id, { lastReadAt: at, lastReadBy: readerName(who) }),
        act(db, who, { action: 'secret.reveal', class: 'read', diff, target: secretTarget(row) }).catch(
          trailFailed,
        ),
      ])
      const { value, encoding } = decodeValue(plain)
      return { value, encoding, version: found.version }
    })
    return revealed.catch(async (error: unknown) => {
      const { row } = refused
      if (row) await recordDenial(database, row, 'secret.reveal', input.reason, who)
      throw error
    })
  }
}

/** What cannot be recorded is not shown, for whatever reason the trail takes no entry. */
function trailFailed(error: unknown): never {
  const known = unavailable(error)
  if (known instanceof AppError) throw known
  throw new AppError(
    'unavailable',
    'The audit trail cannot be written, so the value is not shown. Whoever runs this server finds the cause in its log.',
    { cause: error },
  )
}

function readerOf({ key, user }: Who): Pick<Use, 'subjectType' | 'subjectId' | 'subjectName'> {
  return key === undefined
    ? { subjectType: 'user', subjectId: String(user.id), subjectName: user.name }
    : { subjectType: 'api_key', subjectId: key.id, subjectName: key.name }
}
