import type { Role, SecretAccess } from '@bey/contract'
import { type AuditEntry, audit } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { DataKeys } from '../../platform/crypto/data-keys.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { publish } from '../../platform/live/publish.ts'
import { accessOf } from './access.ts'
import { presentDetail } from './present.ts'
import { findSecret, listDuplicates, listGrants, lockSecret, type SecretRow } from './store.ts'

/** What the functions of this feature work with. */
export type SecretParts = { database: Database; dataKeys: DataKeys; clock: Clock }

/** Who asks, in which organization and from where. */
export type Who = {
  organizationId: number
  userId: number
  name: string
  role: Role
  /** The API key of the request, in whose name it reads. */
  keyId?: string | undefined
} & Pick<AuditEntry, 'via' | 'ip' | 'userAgent' | 'requestId'>

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
  return { row, access: accessOf(who, grants) }
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

export type Act = Pick<AuditEntry, 'action' | 'class' | 'diff' | 'outcome'>

/** Records an act on a secret, in its own transaction, and tells open screens. */
export async function recordAct(db: Db, secret: { id: string; name: string }, act: Act, who: Who) {
  const { organizationId, userId, name, via, ip, userAgent, requestId } = who
  const entry: AuditEntry = {
    organizationId,
    actor: { type: 'user', id: userId, display: name },
    via,
    ip,
    userAgent,
    requestId,
    target: { type: 'secret', id: secret.id, name: secret.name },
    ...act,
  }
  await Promise.all([
    publish(db, { organizationId, type: 'SECRETS_UPDATE', data: { secretId: secret.id } }),
    audit(db, entry),
  ])
}

/** Records a refused read, in a transaction of its own: the refusal rolls back whatever it is in. */
export function recordDenial(
  database: Database,
  secret: { id: string; name: string },
  action: string,
  reason: string,
  who: Who,
): Promise<void> {
  const { organizationId, userId, name, via, ip, userAgent, requestId } = who
  return database.withTenant(organizationId, (db) =>
    audit(db, {
      organizationId,
      actor: { type: 'user', id: userId, display: name },
      via,
      ip,
      userAgent,
      requestId,
      action,
      class: 'read',
      outcome: 'denied',
      target: { type: 'secret', id: secret.id, name: secret.name },
      diff: { reason },
    }),
  )
}

/** Records what the server did by itself, in its own transaction, and tells open screens. */
export async function recordSystemAct(
  db: Db,
  { organizationId, id, name }: { organizationId: number; id: string; name: string },
  act: Act,
): Promise<void> {
  await publish(db, { organizationId, type: 'SECRETS_UPDATE', data: { secretId: id } })
  await audit(db, {
    organizationId,
    actor: { type: 'system', display: 'Bey' },
    via: 'system',
    target: { type: 'secret', id, name },
    ...act,
  })
}

function notFound(): AppError {
  return new AppError('not_found', 'This secret does not exist in this organization.')
}

/** Refuses what a secret that is being deleted does not allow. */
export function requireLive({ name, status }: SecretRow): void {
  if (status !== 'pending_deletion') return
  throw new AppError('conflict', `The secret "${name}" is being deleted. Restore it first.`)
}
