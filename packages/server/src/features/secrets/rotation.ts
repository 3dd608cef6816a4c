import { randomFillSync } from 'node:crypto'
import { defaultGenerator, type GeneratorOptions, generatedTypes, generateValue } from '@bey/contract'
import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { addVersion, checkExpectedVersion } from './add-version.ts'
import { type DueSecret, listRotatable, tryLockSecret } from './due-store.ts'
import {
  detailOf,
  openSecret,
  recordAct,
  recordSystemAct,
  requireLive,
  type SecretParts,
  type Who,
} from './parts.ts'
import { findSecret, type SecretRow, updateSecret } from './store.ts'

type RotateInput = {
  reason: string
  generator?: GeneratorOptions | undefined
  expectedVersion?: number | undefined
}

/** New random values made by the server; the one before is kept as an older version, so that both are live. */
export function createRotation(parts: SecretParts) {
  const { database, clock } = parts

  async function storeNext(
    db: Db,
    row: SecretRow,
    { reason, generator }: Pick<RotateInput, 'reason' | 'generator'>,
    userId: number | null,
  ): Promise<number> {
    requireRotatable(row)
    const options = generator ?? row.rotation?.generator ?? defaultGenerator
    const value = generateValue(options, (bytes) => randomFillSync(bytes))
    const { organizationId } = row
    const added = await addVersion(
      parts,
      db,
      row,
      { value, encoding: 'utf8', reason },
      { organizationId, userId },
    )
    if (row.rotation) {
      const nextRotationAt = nextTime(clock.now(), row.rotation.everyDays)
      await updateSecret(db, organizationId, row.id, { nextRotationAt })
    }
    return added
  }

  async function rotateDue(db: Db, due: DueSecret, now: Date): Promise<void> {
    if (!(await tryLockSecret(db, due))) return
    const row = await findSecret(db, due.organizationId, due.id)
    // Done by another server, or put off meanwhile.
    if (row?.status !== 'active' || row.nextRotationAt === null || row.nextRotationAt > now) return
    const to = await storeNext(db, row, { reason: 'Rotated on schedule' }, null)
    const diff = { version: { from: row.currentVersion, to } }
    await recordSystemAct(db, row, { action: 'secret.rotate', class: 'update', diff })
  }

  return {
    rotate(id: string, input: RotateInput, who: Who) {
      const { organizationId, userId } = who
      return database.withTenant(organizationId, async (db) => {
        await openSecret(db, id, who)
        if (!(await tryLockSecret(db, { organizationId, id }))) {
          throw new AppError(
            'conflict',
            'This secret is being rotated or changed at this moment. Look at it again.',
          )
        }
        const { row } = await openSecret(db, id, who)
        requireLive(row)
        checkExpectedVersion(row, { expectedVersion: input.expectedVersion })
        const to = await storeNext(db, row, input, userId)
        const diff = { version: { from: row.currentVersion, to }, reason: input.reason }
        await recordAct(db, row, { action: 'secret.rotate', class: 'update', diff }, who)
        return keepReply(db, await detailOf(db, id, who))
      })
    },

    /** Rotates what is due in every organization. Safe on several servers: each secret by whoever holds its lock. */
    async rotateAllDue(): Promise<void> {
      const now = clock.now()
      const due = await database.asSystem('rotate secrets on schedule', (db) => listRotatable(db, now))
      for (const secret of due) {
        await database.withTenant(secret.organizationId, (db) => rotateDue(db, secret, now))
      }
    },
  }
}

export function nextTime(from: Date, everyDays: number): Date {
  return new Date(from.getTime() + everyDays * 86_400_000)
}

/** Refuses what has no text that the server could make, or would not keep the version before. */
export function requireRotatable({
  name,
  type,
  maxVersions,
}: Pick<SecretRow, 'name' | 'type' | 'maxVersions'>): void {
  if (!generatedTypes.includes(type)) {
    throw new AppError(
      'conflict',
      `The server cannot make a value of the type of "${name}". Store a new value yourself.`,
    )
  }
  if (maxVersions >= 2) return
  throw new AppError(
    'conflict',
    `The secret "${name}" keeps one version, and a rotation needs the one before as well. Keep at least 2.`,
  )
}
