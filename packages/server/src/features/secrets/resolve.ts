import { accessIncludes, type Role, secretFields } from '@bey/contract'
import { and, eq } from 'drizzle-orm'
import { entryOf, type Person } from '../../platform/act.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { shortestLeaf } from '../../platform/masking/leaves.ts'
import { memberships } from '../../tables/memberships.ts'
import { users } from '../../tables/users.ts'
import { accessDenied, accessOf } from './access.ts'
import { openValue, sealContext, type SecretParts, secretTarget } from './parts.ts'
import { findReferenced, textAt } from './referenced.ts'
import { listGrants, type SecretRow, touchSecret } from './store.ts'
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
  /** A member of the value by its path, such as `password`; the name may end with it as well. */
  field?: string
  user: { type: 'workflow'; id: string; name: string; runId?: string }
  /** Why it may not be used although the person may, as a sentence. `isGranted`: whether an API key was granted the use. */
  whyNot?: (
    db: Db,
    secret: { id: string; name: string },
    isGranted: (keyId: string) => boolean,
  ) => Promise<string | undefined>
}

/**
 * Gives a value to the server itself, never to a person. The use is in the audit trail and among the uses of the secret
 * before the value is answered. Throws AppError that names the secret.
 */
export function createSecretResolver({ database, dataKeys, clock }: SecretParts) {
  return function resolve(usage: SecretUsage): Promise<string> {
    const { organizationId } = usage
    return database.withTenant(organizationId, async (db) => {
      const referenced = await findReferenced(db, organizationId, usage)
      if (referenced === undefined) {
        throw new AppError('not_found', `There is no secret "${usage.name}" in this organization.`)
      }
      const { row, path } = referenced
      const { name } = row
      const person = await personOf(db, usage)
      const grants = await listGrants(db, organizationId, [row.id])
      const access = person && accessOf({ userId: usage.userId, role: person.role }, grants)
      if (!person || !access || !accessIncludes(access, 'use')) throw accessDenied('use', name)
      const isGranted = (keyId: string) =>
        grants.some(({ subjectType, subjectId }) => subjectType === 'api_key' && subjectId === keyId)
      const refused = await usage.whyNot?.(db, { id: row.id, name }, isGranted)
      if (refused !== undefined) throw new AppError('forbidden', refused)
      if (row.status !== 'active') {
        const state = row.status === 'disabled' ? 'disabled' : 'being deleted'
        throw new AppError('conflict', `The secret "${name}" is ${state}.`)
      }
      const version = usage.version ?? row.currentVersion
      const found = await findSealed(db, organizationId, row.id, version)
      if (found?.sealed == null || found.status === 'soft_deleted') {
        throw new AppError('conflict', `The secret "${name}" has no version ${version} that can be used.`)
      }
      const { sealed } = found
      const plain = await openValue(row, version, () =>
        dataKeys.unseal(db, organizationId, sealed, sealContext(row.id, version)),
      )
      const text = textOf(row, decodeValue(plain), { version, path })
      await record(db, row, version, usage, person, clock.now())
      return text
    })
  }
}

async function personOf(
  db: Db,
  { organizationId, userId }: SecretUsage,
): Promise<(Person & { role: Role }) | undefined> {
  const [row] = await db
    .select({ id: users.id, name: users.name, email: users.email, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)))
  return row
}

function textOf(
  row: SecretRow,
  value: SecretValue,
  { version, path }: { version: number; path: string | undefined },
): string {
  const read = textAt(row, value, path)
  if ('problem' in read) throw new AppError('invalid_request', read.problem)
  const isPublic = secretFields[row.type].some((field) => field.name === path && field.isPublic)
  if (read.text.length >= shortestLeaf || isPublic) return read.text
  const what = path === undefined ? `Version ${version}` : `The field "${path}" of version ${version}`
  throw new AppError(
    'invalid_request',
    `${what} of the secret "${row.name}" has fewer than ${shortestLeaf} characters: it could not be recognized in logs and outputs. Store a longer value.`,
  )
}

async function record(
  db: Db,
  row: SecretRow,
  version: number,
  { organizationId, user: by }: SecretUsage,
  person: Person,
  at: Date,
): Promise<void> {
  await touchSecret(db, organizationId, row.id, { lastUsedAt: at })
  await recordUse(db, {
    organizationId,
    secretId: row.id,
    subjectType: by.type,
    subjectId: by.id,
    subjectName: by.name,
    version,
    ...(by.runId !== undefined && { runId: by.runId }),
    at,
  })
  const who = { organizationId, user: person, via: 'workflow' } as const
  // Published by nobody: a run that reads a secret in a loop would have every page read it again.
  await audit(
    db,
    entryOf(who, {
      action: 'secret.use',
      class: 'read',
      target: secretTarget(row),
      runId: by.runId,
      diff: { version, by: by.name },
    }),
  )
}
