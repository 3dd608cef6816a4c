import type { SecurityPolicies } from '@bey/contract'
import { eq, sql } from 'drizzle-orm'

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

/** Which organizations' grace periods end next, and in how long by the clock of the database; undefined where none does. */
export async function readNextGraceEnds(
  db: Db,
): Promise<{ inMs: number; organizationIds: number[] } | undefined> {
  const { rows } = await db.execute<{ inMs: number; organizationIds: number[] }>(sql`
    select (extract(epoch from two_factor_from - now()) * 1000)::float8 as "inMs",
      array_agg(organization_id) as "organizationIds"
    from organization_policies where two_factor_from > now()
    group by two_factor_from order by two_factor_from limit 1`)
  return rows[0]
}
