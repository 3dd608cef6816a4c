import { accessIncludes, type Role, secretFields } from '@bey/contract'
import { and, eq } from 'drizzle-orm'
import { audit } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { memberships } from '../../tables/memberships.ts'
import { users } from '../../tables/users.ts'
import { accessOf, requireAccess } from './access.ts'
import { sealContext, type SecretParts } from './parts.ts'
import { findSecretByName, listGrants, type SecretRow, touchSecret } from './store.ts'
import { recordUse } from './use-store.ts'
import { decodeValue, type SecretValue } from './value.ts'
import { findSealed } from './version-store.ts'

/** A secret that something uses in the name of a person. */
export type SecretUsage = {
  organizationId: number
  /** Who must hold `use` of it. */
  userId: number
  name: string
  /** The current one unless given. */
  version?: number
  /** Of a value that has several, such as `password`. */
  field?: string
  user: { type: 'workflow'; id: string; name: string; runId?: string }
}

/**
 * Gives a value to the server itself, never to a person. The use is in the audit trail and among the uses of the secret
 * before the value is answered. Throws AppError that names the secret.
 */
export function createSecretResolver({ database, dataKeys, clock }: SecretParts) {
  return function resolve(usage: SecretUsage): Promise<string> {
    const { organizationId, name } = usage
    return database.withTenant(organizationId, async (db) => {
      const row = await findSecretByName(db, organizationId, name)
      if (row === undefined) {
        throw new AppError('not_found', `There is no secret "${name}" in this organization.`)
      }
      const person = await personOf(db, usage)
      const grants = await listGrants(db, organizationId, [row.id])
      const access = person && accessOf({ userId: usage.userId, role: person.role }, grants)
      if (!access || !accessIncludes(access, 'use')) requireAccess(null, 'use', name)
      if (row.status !== 'active') {
        const state = row.status === 'disabled' ? 'disabled' : 'being deleted'
        throw new AppError('conflict', `The secret "${name}" is ${state}.`)
      }
      const version = usage.version ?? row.currentVersion
      const found = await findSealed(db, organizationId, row.id, version)
      if (found?.sealed == null || found.status === 'soft_deleted') {
        throw new AppError('conflict', `The secret "${name}" has no version ${version} that can be used.`)
      }
      const plain = await dataKeys.unseal(db, organizationId, found.sealed, sealContext(row.id, version))
      const text = textOf(row, decodeValue(plain), usage.field)
      await record(db, row, version, usage, person?.name ?? '', clock.now())
      return text
    })
  }
}

async function personOf(
  db: Db,
  { organizationId, userId }: SecretUsage,
): Promise<{ name: string; role: Role } | undefined> {
  const [row] = await db
    .select({ name: users.name, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)))
  return row
}

function textOf({ name, type }: SecretRow, { value }: SecretValue, field: string | undefined): string {
  const names = secretFields[type].map((each) => each.name)
  if (typeof value === 'string') {
    if (field === undefined) return value
    throw new AppError('invalid_request', `The secret "${name}" is one text and has no field "${field}".`)
  }
  const known = `Its fields are ${names.join(', ')}.`
  if (field === undefined) {
    throw new AppError(
      'invalid_request',
      `Name a field of the secret "${name}", as in ${name}#${names[0]}. ${known}`,
    )
  }
  const text = Object.hasOwn(value, field) ? value[field] : undefined
  if (text !== undefined) return text
  throw new AppError('invalid_request', `The secret "${name}" has no field "${field}". ${known}`)
}

async function record(
  db: Db,
  row: SecretRow,
  version: number,
  { organizationId, userId, user }: SecretUsage,
  display: string,
  at: Date,
): Promise<void> {
  await touchSecret(db, organizationId, row.id, { lastUsedAt: at })
  await recordUse(db, {
    organizationId,
    secretId: row.id,
    subjectType: user.type,
    subjectId: user.id,
    subjectName: user.name,
    version,
    ...(user.runId !== undefined && { runId: user.runId }),
    at,
  })
  await audit(db, {
    organizationId,
    actor: { type: 'user', id: userId, display },
    via: 'workflow',
    action: 'secret.use',
    class: 'read',
    target: { type: 'secret', id: row.id, name: row.name },
    runId: user.runId,
    diff: { version, by: user.name },
  })
}
