import { act } from '../../platform/act.ts'
import { secretVersionMoves, type SecretVersionStatus } from '@bey/contract'
import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { requireAccess } from './access.ts'
import { addVersion, checkExpectedVersion } from './add-version.ts'
import {
  detailOf,
  openLockedSecret,
  openValue,
  openSecret,
  requireLive,
  sealContext,
  type SecretParts,
  secretTarget,
  type Who,
} from './parts.ts'
import { presentVersion } from './present.ts'
import type { SecretRow } from './store.ts'
import { decodeValue } from './value.ts'
import { findSealed, listVersions, setVersionStatus } from './version-store.ts'

/** Versions of a secret: list, rollback, delete, undelete and destroy. */
export function createSecretVersions(parts: SecretParts) {
  const { database, dataKeys } = parts

  async function present(db: Db, organizationId: number, secretId: string, version: number) {
    const all = await listVersions(db, organizationId, secretId)
    const row = all.find((each) => each.version === version)
    if (row === undefined) throw noVersion(version)
    return presentVersion(row, all)
  }

  /** Moves a version as the table of moves allows. */
  async function move(
    db: Db,
    secret: SecretRow,
    version: number,
    status: SecretVersionStatus,
  ): Promise<void> {
    const found = await findSealed(db, secret.organizationId, secret.id, version)
    if (found === undefined) throw noVersion(version)
    if (found.status === 'current') {
      throw new AppError(
        'conflict',
        `Version ${version} is the current one. Store another value first, or delete the secret.`,
      )
    }
    if (!secretVersionMoves[found.status].includes(status)) {
      throw new AppError(
        'conflict',
        `Version ${version} is ${words[found.status]} and cannot be ${words[status]}.`,
      )
    }
    await setVersionStatus(db, secret.organizationId, secret.id, version, status)
  }

  return {
    list(id: string, who: Who) {
      return database.readTenant(who.organizationId, async (db) => {
        await openSecret(db, id, who)
        const rows = await listVersions(db, who.organizationId, id)
        return { versions: rows.map((row) => presentVersion(row, rows)) }
      })
    },

    /** Stores the value of an older version again. Nobody sees it on the way. */
    rollback(
      id: string,
      version: number,
      input: { reason: string; expectedVersion?: number | undefined },
      who: Who,
    ) {
      const { organizationId } = who
      return database.withTenant(organizationId, async (db) => {
        const { row } = await openLockedSecret(db, id, who)
        requireLive(row)
        checkExpectedVersion(row, input)
        const found = await findSealed(db, organizationId, id, version)
        if (found === undefined) throw noVersion(version)
        if (found.sealed === null || found.status !== 'superseded') {
          throw new AppError(
            'conflict',
            `Version ${version} is ${words[found.status]}. Choose an older version that is kept.`,
          )
        }
        const { sealed } = found
        const plain = await openValue(row, version, () =>
          dataKeys.unseal(db, organizationId, sealed, sealContext(id, version)),
        )
        const { value, encoding } = decodeValue(plain)
        const { reason } = input
        const to = await addVersion(parts, db, row, { value, encoding, reason, restoredFrom: version }, who)
        const diff = { version: { from: row.currentVersion, to }, restoredFrom: version, reason }
        await act(db, who, { action: 'secret.rollback', class: 'update', diff, target: secretTarget(row) })
        return keepReply(db, await detailOf(db, id, who))
      })
    },

    remove(id: string, version: number, who: Who) {
      return database.withTenant(who.organizationId, async (db) => {
        const { row } = await openLockedSecret(db, id, who)
        await move(db, row, version, 'soft_deleted')
        await act(db, who, {
          action: 'secret.version.delete',
          class: 'delete',
          diff: { version },
          target: secretTarget(row),
        })
        return null
      })
    },

    undelete(id: string, version: number, who: Who) {
      return database.withTenant(who.organizationId, async (db) => {
        const { row } = await openLockedSecret(db, id, who)
        const found = await findSealed(db, who.organizationId, id, version)
        if (found !== undefined && found.status === 'superseded') {
          throw new AppError('conflict', `Version ${version} is not deleted.`)
        }
        await move(db, row, version, 'superseded')
        await act(db, who, {
          action: 'secret.version.undelete',
          class: 'update',
          diff: { version },
          target: secretTarget(row),
        })
        return keepReply(db, await present(db, who.organizationId, id, version))
      })
    },

    destroy(id: string, version: number, reason: string, who: Who) {
      return database.withTenant(who.organizationId, async (db) => {
        const { row, access } = await openLockedSecret(db, id, who)
        requireAccess(access, 'manage', row.name)
        await move(db, row, version, 'destroyed')
        const diff = { version, reason }
        await act(db, who, {
          action: 'secret.version.destroy',
          class: 'delete',
          diff,
          target: secretTarget(row),
        })
        return keepReply(db, await present(db, who.organizationId, id, version))
      })
    },
  }
}

const words: Record<SecretVersionStatus, string> = {
  current: 'the current one',
  superseded: 'kept',
  soft_deleted: 'deleted',
  destroyed: 'destroyed',
}

function noVersion(version: number): AppError {
  return new AppError('not_found', `This secret has no version ${version}.`)
}
