import type { SecurityPolicies } from '@bey/contract'
import { eq } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { organizationPolicies } from '../../tables/organization-policies.ts'

const none: SecurityPolicies = {
  auditRetentionDays: null,
  sessionLifeHours: null,
  sessionIdleMinutes: null,
  allowedDomains: [],
  allowedNetworks: [],
}

export async function readPolicies(db: Db, organizationId: number): Promise<SecurityPolicies> {
  const [row] = await db
    .select({
      auditRetentionDays: organizationPolicies.auditRetentionDays,
      sessionLifeHours: organizationPolicies.sessionLifeHours,
      sessionIdleMinutes: organizationPolicies.sessionIdleMinutes,
      allowedDomains: organizationPolicies.allowedDomains,
      allowedNetworks: organizationPolicies.allowedNetworks,
    })
    .from(organizationPolicies)
    .where(eq(organizationPolicies.organizationId, organizationId))
  return row ?? none
}

export async function writePolicies(
  db: Db,
  organizationId: number,
  policies: SecurityPolicies,
): Promise<void> {
  await db
    .insert(organizationPolicies)
    .values({ organizationId, ...policies })
    .onConflictDoUpdate({ target: organizationPolicies.organizationId, set: policies })
}
