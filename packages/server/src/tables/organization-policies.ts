import { sql } from 'drizzle-orm'
import { boolean, integer, pgPolicy, pgTable, text } from 'drizzle-orm/pg-core'

import { appRole, currentOrganization, instant, systemPolicy, updatedAt } from './columns.ts'
import { organizations } from './organizations.ts'

const texts = (name: string) =>
  text(name)
    .array()
    .notNull()
    .default(sql`'{}'::text[]`)

/** The security policies of an organization; one without a row has the defaults. */
export const organizationPolicies = pgTable(
  'organization_policies',
  {
    organizationId: integer('organization_id')
      .primaryKey()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Days after which audit entries are deleted; null: never. */
    auditRetentionDays: integer('audit_retention_days'),
    /** Since when members need a second factor; null: they do not. Later than now: the grace period. */
    twoFactorFrom: instant('two_factor_from'),
    /** Hours after its beginning at which a session ends; null: only by not being used. */
    sessionLifeHours: integer('session_life_hours'),
    /** Minutes without a request after which a session ends; null: 30 days. */
    sessionIdleMinutes: integer('session_idle_minutes'),
    /** Domains of the e-mail addresses that may work in the organization; empty: any. */
    allowedDomains: texts('allowed_domains'),
    /** Networks, in CIDR notation, from which the organization is reached; empty: any. */
    allowedNetworks: texts('allowed_networks'),
    /** Whether a session that began with a password may work in the organization. */
    allowsPassword: boolean('allows_password').notNull().default(true),
    updatedAt: updatedAt(),
  },
  () => [
    pgPolicy('tenant', {
      for: 'all',
      to: appRole,
      using: sql`organization_id = ${currentOrganization}`,
      withCheck: sql`organization_id = ${currentOrganization}`,
    }),
    systemPolicy(),
  ],
)
