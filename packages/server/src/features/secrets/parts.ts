import { actorText, type SecretAccess } from '@bey/contract'
import { act, type Member } from '../../platform/act.ts'
import type { Clock } from '../../platform/clock.ts'
import type { DataKeys } from '../../platform/crypto/data-keys.ts'
import { SealError } from '../../platform/crypto/sealed-box.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { KeyRights } from '../../platform/keys/key-rights.ts'
import { accessOf, type Subject } from './access.ts'
import { presentDetail } from './present.ts'
import { findSecret, listDuplicates, listGrants, lockSecret, type SecretRow } from './store.ts'

/** What the functions of this feature work with. */
export type SecretParts = { database: Database; dataKeys: DataKeys; clock: Clock }

/** Who asks; `key` where they come with an API key. */
export type Who = Member & { key?: Pick<KeyRights, 'id' | 'name'> }

/** Whose access is asked for. */
export function subjectOf({ user, role, key }: Who): Subject {
  return { userId: user.id, role, keyId: key?.id }
}

/** What pages say of who read a value: an API key by its own name. */
export function readerName({ user, key }: Who): string {
  return key?.name ?? actorText(user)
}

/** Opens a sealed value. Throws AppError `conflict` where it was altered or the key is another. */
export async function openValue(
  secret: { name: string },
  version: number,
  open: () => Buffer | Promise<Buffer>,
): Promise<Buffer> {
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    throw new AppError(
      'conflict',
      `Version ${version} of the secret "${secret.name}" does not open: it was altered, or sealed with another key. Verify the secrets under Keys, and restore the value from a backup or store a new one.`,
      { cause: error },
    )
  }
}

export type OpenSecret = { row: SecretRow; access: SecretAccess | null }

/** Names a value in its seal, so that one that was moved to another row does not open. */
export function sealContext(secretId: string, version: number): string {
  return `secret:${secretId}:${version}`
}

/** A secret and what the caller may do with it. Throws AppError `not_found`. */
export async function openSecret(db: Db, id: string, who: Who): Promise<OpenSecret> {
  const [row, grants] = await Promise.all([
    findSecret(db, who.organizationId, id),
    listGrants(db, who.organizationId, [id]),
  ])
  if (row === undefined) throw notFound()
  return { row, access: accessOf(subjectOf(who), grants) }
}

/** The same, kept from being changed by others until the transaction ends. */
export async function openLockedSecret(db: Db, id: string, who: Who): Promise<OpenSecret> {
  await lockSecret(db, who.organizationId, id)
  return openSecret(db, id, who)
}

/** The secret as its page shows it, after a change in the same transaction. */
export async function detailOf(db: Db, id: string, who: Who) {
  const { row, access } = await openSecret(db, id, who)
  const duplicates = await listDuplicates(db, who.organizationId, id, row.valueHash)
  return presentDetail(row, access, duplicates)
}

/** A secret as what an act was done to. */
export function secretTarget({ id, name }: { id: string; name: string }) {
  return { type: 'secret', id, name } as const
}

/** Records a refused read, in a transaction of its own: the refusal rolls back whatever it is in. */
export function recordDenial(
  database: Database,
  secret: { id: string; name: string },
  action: string,
  reason: string,
  who: Who,
): Promise<void> {
  return database.withTenant(who.organizationId, (db) =>
    act(db, who, {
      action,
      class: 'read',
      outcome: 'denied',
      target: secretTarget(secret),
      diff: { reason },
    }),
  )
}

function notFound(): AppError {
  return new AppError('not_found', 'This secret does not exist in this organization.')
}

/** Refuses what a secret that is being deleted does not allow. */
export function requireLive({ name, status }: SecretRow): void {
  if (status !== 'pending_deletion') return
  throw new AppError('conflict', `The secret "${name}" is being deleted. Restore it first.`)
}
