import { type KeyResource, type Permission, roleHas } from '@bey/contract'
import { and, eq } from 'drizzle-orm'

import type { Member } from '../../../platform/act.ts'
import type { Database } from '../../../platform/db/database.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { memberships } from '../../../tables/memberships.ts'
import { users } from '../../../tables/users.ts'
import type { RunFacts } from '../definition/definition.ts'
import { keyBounds } from './key-bounds.ts'

/** In whose name a step acts: the person who started the run, with the role that they have now. */
export type RunActor = Member & { via: 'workflow' }

export type ActingRun = Pick<RunFacts, 'id' | 'organizationId' | 'createdBy' | 'keyId' | 'authorKeyIds'>

/**
 * Throws StepFailure once the person who started the run is no longer a member, or may not do this any more, and where
 * an API key that started it or saved what it executes does not give the permission.
 */
export async function actorOf(
  database: Pick<Database, 'readTenant'>,
  { id: runId, organizationId, createdBy, keyId, authorKeyIds }: ActingRun,
  permission: Permission,
  /** What the step acts on, of the things to which API keys can be limited. */
  touched: readonly KeyResource[] = [],
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
  if (keyId == null && (authorKeyIds ?? []).length === 0)
    return { organizationId, user, role, via: 'workflow' }
  const refused = await database.readTenant(organizationId, async (db) =>
    (await keyBounds(db, { organizationId, keyId, authorKeyIds, runId }))(permission, touched),
  )
  if (refused !== undefined) throw new StepFailure(refused)
  return { organizationId, user, role, via: 'workflow' }
}
