import { sql } from 'drizzle-orm'
import { customType, integer, pgPolicy, pgRole, timestamp } from 'drizzle-orm/pg-core'

/** The role under which all requests work: owns nothing, cannot log in, is subject to row-level security. */
export const appRole = pgRole('bey_app').existing()

/** The organization of the running transaction, or null outside `withTenant`; null equals no row. */
export const currentOrganization = sql`(select nullif(current_setting('bey.organization_id', true), '')::int)`

/** The user of the running transaction, or null outside `withUser`. */
export const currentUserId = sql`(select nullif(current_setting('bey.user_id', true), '')::int)`

export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

/** An instant with milliseconds, which is what a JavaScript Date carries. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const createdAt = () => instant('created_at').notNull().defaultNow()

export const updatedAt = () =>
  instant('updated_at')
    .notNull()
    .defaultNow()
    .$onUpdate(() => new Date())

export const organizationId = () => integer('organization_id').notNull()

/** Rows of the organization of `withTenant`, and no others, for reading and writing alike. */
export const tenantPolicy = () =>
  pgPolicy('tenant', {
    for: 'all',
    to: appRole,
    using: sql`organization_id = ${currentOrganization}`,
    withCheck: sql`organization_id = ${currentOrganization}`,
  })

/** Rows of the user of `withUser`. */
export const ownPolicy = () =>
  pgPolicy('own', {
    for: 'all',
    to: appRole,
    using: sql`user_id = ${currentUserId}`,
    withCheck: sql`user_id = ${currentUserId}`,
  })

/**
 * Lets the owner of the tables, who is bound by FORCE ROW LEVEL SECURITY too, see every row: needed by
 * `asSystem`, by the SECURITY DEFINER functions and by migrations that touch rows.
 */
export const systemPolicy = () =>
  pgPolicy('system', { for: 'all', to: 'current_user', using: sql`true`, withCheck: sql`true` })
