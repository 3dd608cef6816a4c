import type { SecurityPolicies } from '@bey/contract'
import { eq } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { organizationPolicies } from '../../tables/organization-policies.ts'

const none: SecurityPolicies = {
  auditRetentionDays: null,
  sessionLifeHours: null,
  sessionIdleMinutes: null,
  twoFactorFrom: null,
  allowsPassword: true,
  allowedDomains: [],
  allowedNetworks: [],
}

export async function readPolicies(db: Db, organizationId: number): Promise<SecurityPolicies> {
  const [row] = await db
    .select({
      auditRetentionDays: organizationPolicies.auditRetentionDays,
      sessionLifeHours: organizationPolicies.sessionLifeHours,
      sessionIdleMinutes: organizationPolicies.sessionIdleMinutes,
      twoFactorFrom: organizationPolicies.twoFactorFrom,
      allowsPassword: organizationPolicies.allowsPassword,
      allowedDomains: organizationPolicies.allowedDomains,
      allowedNetworks: organizationPolicies.allowedNetworks,
    })
    .from(organizationPolicies)
    .where(eq(organizationPolicies.organizationId, organizationId))
  return row ? { ...row, twoFactorFrom: row.twoFactorFrom?.toISOString() ?? null } : none
}

export async function writePolicies(
  db: Db,
  organizationId: number,
  policies: SecurityPolicies,
): Promise<void> {
  const { twoFactorFrom } = policies
  const set = { ...policies, twoFactorFrom: twoFactorFrom === null ? null : new Date(twoFactorFrom) }
  await db
    .insert(organizationPolicies)
    .values({ organizationId, ...set })
    .onConflictDoUpdate({ target: organizationPolicies.organizationId, set })
}
