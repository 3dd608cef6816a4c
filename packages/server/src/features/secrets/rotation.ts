import { act } from '../../platform/act.ts'
import { randomFillSync } from 'node:crypto'
import { defaultGenerator, type GeneratorOptions, generatedTypes, generateValue } from '@bey/contract'
import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { addVersion, checkExpectedVersion } from './add-version.ts'
import { isRotatedByRun, tryLockSecret } from './due-store.ts'
import { detailOf, openSecret, requireLive, type SecretParts, secretTarget, type Who } from './parts.ts'
import { type SecretRow, updateSecret } from './store.ts'
import type { Encoding, GivenValue } from './value.ts'
import { setLiveUntil } from './version-store.ts'

type NextValue = {
  reason: string
  /** Made by the server unless given. */
  value?: GivenValue | undefined
  encoding: Encoding
  generator?: GeneratorOptions | undefined
  /** For how long the version before may be used beside the new one; null: without an end. */
  overlapHours: number | null
}
type RotateInput = NextValue & { expectedVersion?: number | undefined }

/** What else happens in the transaction of a rotation. */
type Afterwards<T> = (db: Db, rotated: { row: SecretRow; to: number }) => Promise<T>

/** New values, given or made by the server; the one before is kept as an older version, so that both are live. */
export function createRotation(parts: SecretParts) {
  const { database } = parts

  function rotateAnd<T>(id: string, input: RotateInput, who: Who, afterwards: Afterwards<T>): Promise<T> {
    const { organizationId, user } = who
    return database.withTenant(organizationId, async (db) => {
      await openSecret(db, id, who)
      if (!(await tryLockSecret(db, { organizationId, id }))) throw isBusy()
      const { row } = await openSecret(db, id, who)
      requireLive(row)
      if (await isRotatedByRun(db, row)) throw isBusy()
      checkExpectedVersion(row, { expectedVersion: input.expectedVersion })
      const to = await storeNext(parts, db, row, input, user)
      const diff = {
        version: { from: row.currentVersion, to },
        reason: input.reason,
        ...(input.overlapHours !== null && { overlapHours: input.overlapHours }),
      }
      await act(db, who, { action: 'secret.rotate', class: 'update', diff, target: secretTarget(row) })
      return keepReply(db, await afterwards(db, { row, to }))
    })
  }

  return {
    rotate: (id: string, input: RotateInput, who: Who) =>
      rotateAnd(id, input, who, (db) => detailOf(db, id, who)),
    rotateAnd,
  }
}

const isBusy = () =>
  new AppError('conflict', 'This secret is being rotated or changed at this moment. Look at it again.')

/** Stores the next value of a locked secret and answers its version; a schedule begins anew. */
export async function storeNext(
  parts: SecretParts,
  db: Db,
  row: SecretRow,
  { reason, value: given, encoding, generator, overlapHours }: NextValue,
  user: { id: number } | null,
): Promise<number> {
  if (given === undefined) requireRotatable(row)
  else requireRoomForTwo(row)
  const options = generator ?? row.rotation?.generator ?? defaultGenerator
  const value = given ?? generateValue(options, (bytes) => randomFillSync(bytes))
  const { organizationId, id, rotation } = row
  const now = parts.clock.now()
  const addition = { value, encoding: given === undefined ? 'utf8' : encoding, reason } as const
  const added = await addVersion(parts, db, row, addition, { organizationId, user })
  if (overlapHours !== null) {
    const liveUntil = new Date(now.getTime() + overlapHours * 3_600_000)
    await setLiveUntil(db, organizationId, id, row.currentVersion, liveUntil)
  }
  await updateSecret(db, organizationId, id, {
    rotatedAt: now,
    rotationFailure: null,
    rotationFailedAt: null,
    rotationRetryAt: null,
    rotationAttempts: 0,
    ...(rotation && { nextRotationAt: nextTime(now, rotation.everyDays) }),
  })
  return added
}

export function nextTime(from: Date, everyDays: number): Date {
  return new Date(from.getTime() + everyDays * 86_400_000)
}

/** Refuses what has no text that the server could make, or would not keep the version before. */
export function requireRotatable(secret: Pick<SecretRow, 'name' | 'type' | 'maxVersions'>): void {
  if (!generatedTypes.includes(secret.type)) {
    throw new AppError(
      'conflict',
      `The server cannot make a value of the type of "${secret.name}". Store a new value yourself.`,
    )
  }
  requireRoomForTwo(secret)
}

function requireRoomForTwo({ name, maxVersions }: Pick<SecretRow, 'name' | 'maxVersions'>): void {
  if (maxVersions >= 2) return
  throw new AppError(
    'conflict',
    `The secret "${name}" keeps one version, and a rotation needs the one before as well. Keep at least 2.`,
  )
}
