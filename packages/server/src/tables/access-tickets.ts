import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'

import { clusters } from './clusters.ts'
import { bytea, createdAt, instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { sessions } from './sessions.ts'

/**
 * What represents a session where a browser cannot send its token: `stream` opens one WebSocket to one path and is
 * deleted by that, `service` opens pages below one path until it expires. Kept as SHA-256.
 */
export const accessTickets = pgTable(
  'access_tickets',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId(),
    clusterId: integer('cluster_id').notNull(),
    /** It ends with the session. */
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(),
    ticketHash: bytea('ticket_hash').notNull(),
    /** Of the cluster's API, with its query where the kind has one. */
    path: text('path').notNull(),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [
    foreignKey({
      columns: [t.organizationId, t.clusterId],
      foreignColumns: [clusters.organizationId, clusters.id],
    }).onDelete('cascade'),
    unique('access_tickets_ticket_hash_key').on(t.ticketHash),
    index('access_tickets_session_id_idx').on(t.sessionId),
    index('access_tickets_cluster_idx').on(t.organizationId, t.clusterId),
    index('access_tickets_expires_at_idx').on(t.expiresAt),
    check('access_tickets_kind_known', sql`${t.kind} in ('stream', 'service')`),
    tenantPolicy(),
    systemPolicy(),
  ],
)
