import { type Permission, type Role, roleHas } from '@bey/contract'
import { and, eq } from 'drizzle-orm'

import type { Database } from '../../../platform/db/database.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { memberships } from '../../../tables/memberships.ts'
import { users } from '../../../tables/users.ts'
import type { RunFacts } from '../definition.ts'

/** In whose name a step acts: the person who started the run, with the role that they have now. */
export type RunActor = { userId: number; name: string; email: string; role: Role }

/** Throws StepFailure once the person who started the run is no longer a member, or may not do this any more. */
export async function actorOf(
  database: Pick<Database, 'readTenant'>,
  { organizationId, createdBy }: Pick<RunFacts, 'organizationId' | 'createdBy'>,
  permission: Permission,
): Promise<RunActor> {
  if (createdBy === null) {
    throw new StepFailure('Nobody started this run, and this step acts in the name of a person.')
  }
  const actor = await database.readTenant(organizationId, async (db) => {
    const [row] = await db
      .select({ userId: users.id, name: users.name, email: users.email, role: memberships.role })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, createdBy)))
    return row
  })
  if (actor === undefined) {
    throw new StepFailure(
      'Whoever started this run is no longer a member of the organization. Somebody else can start it again.',
    )
  }
  if (!roleHas(actor.role, permission)) {
    throw new StepFailure(
      `${actor.email} may not do this: the role ${actor.role} lacks ${permission}. Somebody else can start the run.`,
    )
  }
  return actor
}
