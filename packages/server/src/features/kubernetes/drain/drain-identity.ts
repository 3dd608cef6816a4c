import type { Role } from '@bey/contract'
import { roleHas } from '@bey/contract'
import { and, eq } from 'drizzle-orm'
import type { Database } from '../../../platform/db/database.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { memberships } from '../../../tables/memberships.ts'
import { users } from '../../../tables/users.ts'
import type { Identity } from '../connection/identity.ts'
import { ownIdentity } from '../proxy/impersonation.ts'

/** Whoever started a run, under the role that they have now. Throws StepFailure once they may not act any more. */
export async function identityOf(
  database: Pick<Database, 'readTenant'>,
  run: { organizationId: number; createdBy: number | null },
): Promise<Identity> {
  const { organizationId, createdBy } = run
  const found = createdBy === null ? undefined : await memberOf(database, organizationId, createdBy)
  if (found === undefined) {
    throw new StepFailure(
      'Whoever started this drain is no longer a member of the organization. Somebody else can start it again.',
    )
  }
  if (!roleHas(found.role, 'kubernetes.write')) {
    throw new StepFailure(
      `${found.email} may not change clusters any more: the role is ${found.role} now. Somebody else can start the drain again.`,
    )
  }
  return ownIdentity(found)
}

function memberOf(
  database: Pick<Database, 'readTenant'>,
  organizationId: number,
  userId: number,
): Promise<{ email: string; role: Role } | undefined> {
  return database.readTenant(organizationId, async (db) => {
    const [row] = await db
      .select({ email: users.email, role: memberships.role })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)))
    return row
  })
}
