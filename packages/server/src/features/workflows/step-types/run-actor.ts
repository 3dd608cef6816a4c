import { type Permission, roleHas } from '@bey/contract'
import { and, eq } from 'drizzle-orm'

import type { Member } from '../../../platform/act.ts'
import type { Database } from '../../../platform/db/database.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { memberships } from '../../../tables/memberships.ts'
import { apiKeys } from '../../../tables/api-keys.ts'
import { users } from '../../../tables/users.ts'
import type { RunFacts } from '../definition.ts'

/** In whose name a step acts: the person who started the run, with the role that they have now. */
export type RunActor = Member & { via: 'workflow' }

/**
 * Throws StepFailure once the person who started the run is no longer a member, or may not do this any more, and where the
 * API key that started it was not given the permission. A key that ended since does not end its runs.
 */
export async function actorOf(
  database: Pick<Database, 'readTenant'>,
  { organizationId, createdBy, keyId }: Pick<RunFacts, 'organizationId' | 'createdBy' | 'keyId'>,
  permission: Permission,
): Promise<RunActor> {
  if (createdBy === null) {
    throw new StepFailure('Nobody started this run, and this step acts in the name of a person.')
  }
  const found = await database.readTenant(organizationId, async (db) => {
    const [row] = await db
      .select({ id: users.id, name: users.name, email: users.email, role: memberships.role })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, createdBy)))
    return row
  })
  if (found === undefined) {
    throw new StepFailure(
      'Whoever started this run is no longer a member of the organization. Somebody else can start it again.',
    )
  }
  const { role, ...user } = found
  if (!roleHas(role, permission)) {
    throw new StepFailure(
      `${user.email} may not do this: the role ${role} lacks ${permission}. Somebody else can start the run.`,
    )
  }
  if (keyId != null) await requireOfKey(database, organizationId, keyId, permission)
  return { organizationId, user, role, via: 'workflow' }
}

async function requireOfKey(
  database: Pick<Database, 'readTenant'>,
  organizationId: number,
  keyId: string,
  permission: Permission,
): Promise<void> {
  const [key] = await database.readTenant(organizationId, (db) =>
    db
      .select({ name: apiKeys.name, permissions: apiKeys.permissions })
      .from(apiKeys)
      .where(and(eq(apiKeys.organizationId, organizationId), eq(apiKeys.id, keyId))),
  )
  if (key?.permissions.includes(permission)) return
  throw new StepFailure(
    key === undefined
      ? 'The API key that started this run is gone. Another one or a person can start it again.'
      : `The API key "${key.name}", which started this run, was not given the permission ${permission}. A key that has it or a person can start the run.`,
  )
}
