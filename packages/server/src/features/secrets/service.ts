import { act } from '../../platform/act.ts'
import { isDeepStrictEqual } from 'node:util'
import {
  secretLimits,
  secretMoves,
  type SecretRotation,
  type SecretStatus,
  type SecretType,
} from '@bey/contract'
import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { currentKey } from '../../platform/keys/key-rights.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { accessOf } from './access.ts'
import { readFacts } from './facts.ts'
import {
  detailOf,
  openLockedSecret,
  requireLive,
  type SecretParts,
  secretTarget,
  subjectOf,
  type Who,
} from './parts.ts'
import { nextTime, requireRotatable } from './rotation.ts'
import { touchSyncs } from './sync/store.ts'
import { presentSecret, withoutKey } from './present.ts'
import {
  grantsBySecret,
  listSecrets,
  type SecretChange,
  type SecretPage,
  type SecretRow,
  updateSecret,
} from './store.ts'
import { type Encoding, type GivenValue, parseValue } from './value.ts'
import {
  date,
  insertPrepared,
  type NewSecretInput,
  orNameTaken,
  prepareSecret,
  requireRoom,
} from './new-secret.ts'
import { addVersion, checkExpectedVersion } from './add-version.ts'

export type SecretUpdate = Partial<Omit<NewSecretInput, 'encoding'>> & {
  encoding: Encoding
  status?: 'active' | 'disabled' | undefined
  rotation?: SecretRotation | null | undefined
  reason: string
  expectedVersion?: number | undefined
}

/** Secrets without their values: list, detail, create, change, delete and restore. */
export function createSecrets(parts: SecretParts) {
  const { database, clock } = parts

  return {
    async list(filter: SecretPage, who: Who) {
      const { organizationId } = who
      const { rows, total, grants } = await database.readTenant(organizationId, async (db) => {
        const found = await listSecrets(db, organizationId, filter)
        const ids = found.rows.map(({ id }) => id)
        return { ...found, grants: await grantsBySecret(db, organizationId, ids) }
      })
      const secrets = rows.map((row) =>
        presentSecret(row, accessOf(subjectOf(who), grants.get(row.id) ?? [])),
      )
      return { secrets, ...total, page: filter.page, limit: filter.limit }
    },

    get(id: string, who: Who) {
      return database.readTenant(who.organizationId, (db) => detailOf(db, id, who))
    },

    async create(input: NewSecretInput, who: Who) {
      const prepared = await prepareSecret(input)
      return orNameTaken(input.name, () =>
        database.withTenant(who.organizationId, async (db) => {
          await requireRoom(db, who.organizationId, 1)
          const id = await insertPrepared(parts, db, prepared, who)
          return keepReply(db, await detailOf(db, id, who))
        }),
      )
    },

    update(id: string, input: SecretUpdate, who: Who) {
      const { organizationId } = who
      return orNameTaken(input.name ?? '', () =>
        database.withTenant(organizationId, async (db) => {
          const { row } = await openLockedSecret(db, id, who)
          requireLive(row)
          checkExpectedVersion(row, input)
          const change = changeOf(row, input, clock.now())
          const diff = diffOf(row, change)
          if (Object.keys(change).length > 0) await updateSecret(db, organizationId, id, change)
          if (change.status !== undefined) await touchSyncs(db, organizationId, id, clock.now())
          if (input.value !== undefined) {
            const { value, encoding, reason } = input
            const type = input.type ?? row.type
            const added = await addVersion(
              parts,
              db,
              { ...row, ...change, type },
              { value, encoding, reason },
              who,
            )
            Object.assign(diff, { version: { from: row.currentVersion, to: added } })
          }
          // Asked for what is so already, nothing has changed and nobody is notified.
          if (Object.keys(diff).length > 0) {
            const why = input.reason === '' ? {} : { reason: input.reason }
            await act(db, who, {
              action: 'secret.update',
              class: 'update',
              diff: { ...diff, ...why },
              target: secretTarget(row),
            })
          }
          return detailOf(db, id, who)
        }),
      )
    },

    remove(id: string, who: Who) {
      const { organizationId } = who
      return database.withTenant(organizationId, async (db) => {
        const { row } = await openLockedSecret(db, id, who)
        if (row.status === 'pending_deletion') return null
        const purgeAt = new Date(clock.now().getTime() + secretLimits.deletionDays * 86_400_000)
        await moveSecret(db, row, 'pending_deletion', { statusBefore: row.status, purgeAt })
        const diff = { purgeAt: purgeAt.toISOString(), usedBy: row.usedByCount }
        await act(db, who, { action: 'secret.delete', class: 'delete', diff, target: secretTarget(row) })
        return null
      })
    },

    restore(id: string, who: Who) {
      return database.withTenant(who.organizationId, async (db) => {
        const { row } = await openLockedSecret(db, id, who)
        if (row.status !== 'pending_deletion') {
          throw new AppError('conflict', `The secret "${row.name}" is not being deleted.`)
        }
        await moveSecret(db, row, row.statusBefore ?? 'active', { statusBefore: null, purgeAt: null })
        await act(db, who, { action: 'secret.restore', class: 'update', target: secretTarget(row) })
        return keepReply(db, await detailOf(db, id, who))
      })
    },

    /** What a value would say of itself; nothing is stored. */
    async inspect(type: SecretType, value: GivenValue) {
      return readFacts(type, parseValue(type, value, 'utf8'))
    },
  }
}

/** Moves a secret as the table of moves allows. */
async function moveSecret(
  db: Db,
  row: SecretRow,
  status: SecretStatus,
  change: SecretChange = {},
): Promise<void> {
  if (!secretMoves[row.status].includes(status)) {
    throw new AppError('conflict', `The secret "${row.name}" is ${row.status} and cannot become ${status}.`)
  }
  await updateSecret(db, row.organizationId, row.id, { ...change, status })
}

function changeOf(row: SecretRow, input: SecretUpdate, now: Date): SecretChange {
  const { name, description, type, labels, maxVersions, requireCas, status } = input
  if (type !== undefined && type !== row.type && input.value === undefined) {
    throw new AppError('invalid_request', 'type: Send a value together with another type.', {
      errors: [{ path: 'type', message: 'Send a value together with another type.' }],
    })
  }
  const asked: SecretChange = { name, description, type, labels, maxVersions, requireCas, status }
  if (input.expiresAt !== undefined) asked.expiresAt = date(input.expiresAt) ?? null
  if (input.rotation !== undefined && !isSame(row.rotation && withoutKey(row.rotation), input.rotation)) {
    const keyId = input.rotation?.workflowId === undefined ? undefined : currentKey()?.id
    asked.rotation = input.rotation && { ...input.rotation, ...(keyId !== undefined && { keyId }) }
    asked.nextRotationAt = input.rotation && nextTime(now, input.rotation.everyDays)
    Object.assign(asked, { rotationFailure: null, rotationFailedAt: null, rotationRetryAt: null })
    asked.rotationAttempts = 0
  }
  const rotation = asked.rotation === undefined ? row.rotation : asked.rotation
  if (rotation && rotation.workflowId === undefined) {
    requireRotatable({ name: row.name, type: type ?? row.type, maxVersions: maxVersions ?? row.maxVersions })
  }
  const entries = Object.entries(asked) as [keyof SecretChange & keyof SecretRow, unknown][]
  return Object.fromEntries(entries.filter(([key, value]) => value !== undefined && !isSame(row[key], value)))
}

/** What changed, from and to; nothing of it is a value. */
function diffOf(row: SecretRow, change: SecretChange): Record<string, unknown> {
  const keys = Object.keys(change) as (keyof SecretChange & keyof SecretRow)[]
  return Object.fromEntries(keys.map((key) => [key, { from: row[key], to: change[key] }]))
}

function isSame(before: unknown, after: unknown): boolean {
  return isDeepStrictEqual(before, after)
}
