import { defaultGenerator, generateValue, secretMoves, secretLimits } from '@bey/contract'
import { randomFillSync } from 'node:crypto'

import { act, type OtherActor } from '../../platform/act.ts'
import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { addVersion } from './add-version.ts'
import { insertPrepared, orNameTaken, prepareSecret, requireRoom } from './new-secret.ts'
import { openValue, sealContext, type SecretParts, secretTarget, type Who } from './parts.ts'
import { findSecret, lockSecret, updateSecret } from './store.ts'
import { recordUse } from './use-store.ts'
import { decodeValue } from './value.ts'
import { findSealed } from './version-store.ts'

type NewCredential = { name: string; description: string; password: string }
type User = { id: string; name: string }

/** A password for something that Bey looks after, without characters that shells and addresses read differently. */
export function newPassword(): string {
  const options = { ...defaultGenerator, length: 40, hasSymbols: false }
  return generateValue(options, (bytes) => randomFillSync(bytes))
}

/** Passwords of things that Bey looks after, such as databases: secrets like any other, used by the server itself. */
export function createCredentials(parts: SecretParts) {
  const { database, dataKeys, clock } = parts

  return {
    /** Stores a password as a new secret in the caller's transaction. Throws AppError `limit_reached`, `name_taken`. */
    async create(db: Db, { name, description, password }: NewCredential, who: Who): Promise<string> {
      const prepared = await prepareSecret({
        name,
        description,
        type: 'password',
        value: password,
        encoding: 'utf8',
        labels: {},
        maxVersions: secretLimits.defaultVersions,
        requireCas: false,
      })
      return orNameTaken(name, async () => {
        await requireRoom(db, who.organizationId, 1)
        return insertPrepared(parts, db, prepared, who)
      })
    },

    /** Stores another password as the current version. Throws AppError `conflict` for one that is being deleted. */
    async replace(
      db: Db,
      secretId: string,
      password: string,
      reason: string,
      who: Who | OtherActor,
    ): Promise<void> {
      await lockSecret(db, who.organizationId, secretId)
      const row = await findSecret(db, who.organizationId, secretId)
      if (row === undefined || row.status === 'pending_deletion') {
        throw new AppError('conflict', 'The secret with the password is being deleted. Restore it first.')
      }
      const addition = { value: password, encoding: 'utf8', reason } as const
      const version = await addVersion(parts, db, row, addition, {
        organizationId: who.organizationId,
        user: 'user' in who ? who.user : null,
      })
      await act(db, who, {
        action: 'secret.update',
        class: 'update',
        diff: { version: { from: row.currentVersion, to: version }, reason },
        target: secretTarget(row),
      })
    },

    /**
     * The current password, for the server itself. Throws AppError that names the secret where it is disabled, gone or
     * does not open.
     */
    async read(organizationId: number, secretId: string): Promise<{ password: string; version: number }> {
      return database.readTenant(organizationId, async (db) => {
        const [row, found, open] = await Promise.all([
          findSecret(db, organizationId, secretId),
          findSealed(db, organizationId, secretId, 'current'),
          dataKeys.opener(db, organizationId),
        ])
        if (row === undefined) throw new AppError('not_found', 'The secret with its password is gone.')
        if (row.status !== 'active') {
          const state = row.status === 'disabled' ? 'disabled' : 'being deleted'
          throw new AppError('conflict', `The secret "${row.name}" with its password is ${state}.`)
        }
        const sealed = found?.sealed
        if (found === undefined || sealed == null) {
          throw new AppError('conflict', `The secret "${row.name}" has no value any more.`)
        }
        const { version } = found
        const plain = await openValue(row, version, () => open(sealed, sealContext(secretId, version)))
        const { value } = decodeValue(plain)
        if (typeof value !== 'string') {
          throw new AppError('conflict', `The secret "${row.name}" is no password any more.`)
        }
        return { password: value, version }
      })
    },

    /** Records that a version came into use, so that the secret's page shows by what. */
    recordUse(db: Db, organizationId: number, secretId: string, version: number, user: User): Promise<void> {
      return recordUse(db, {
        organizationId,
        secretId,
        subjectType: 'database',
        subjectId: user.id,
        subjectName: user.name,
        version,
        at: clock.now(),
      })
    },

    /** Lets a secret end whose thing is deleted; for 7 days it can be restored. */
    async retire(db: Db, secretId: string, who: OtherActor): Promise<void> {
      const { organizationId } = who
      await lockSecret(db, organizationId, secretId)
      const row = await findSecret(db, organizationId, secretId)
      if (row === undefined || !secretMoves[row.status].includes('pending_deletion')) return
      const purgeAt = new Date(clock.now().getTime() + secretLimits.deletionDays * 86_400_000)
      await updateSecret(db, organizationId, secretId, {
        status: 'pending_deletion',
        statusBefore: row.status,
        purgeAt,
      })
      await act(db, who, {
        action: 'secret.delete',
        class: 'delete',
        diff: { purgeAt: purgeAt.toISOString(), usedBy: row.usedByCount },
        target: secretTarget(row),
      })
    },
  }
}

export type Credentials = ReturnType<typeof createCredentials>
