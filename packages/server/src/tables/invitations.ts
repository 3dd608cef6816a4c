import type { InvitationRole, InvitationStatus } from '@bey/contract'
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

import { bytea, createdAt, instant, organizationId, systemPolicy, tenantPolicy } from './columns.ts'
import { organizations } from './organizations.ts'
import { users } from './users.ts'

/** Invitations to an organization, each for one address. Of the link's token only the SHA-256 is kept. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').primaryKey(),
    organizationId: organizationId().references(() => organizations.id, { onDelete: 'cascade' }),
    email: text('email').notNull(),
    role: text('role').$type<InvitationRole>().notNull(),
    /** Stored as `pending` until somebody answers or revokes; `expired` follows from `expires_at`. */
    status: text('status').$type<Exclude<InvitationStatus, 'expired'>>().notNull().default('pending'),
    /** Counts the links that were made: each ends the one before. */
    round: integer('round').notNull().default(1),
    tokenHash: bytea('token_hash').notNull(),
    invitedBy: integer('invited_by').references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    sentAt: instant('sent_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    /** The last mail with its link, which is deleted some days after it was sent. */
    mailId: uuid('mail_id'),
    endedAt: instant('ended_at'),
    acceptedBy: integer('accepted_by').references(() => users.id, { onDelete: 'set null' }),
  },
  (t) => [
    unique('invitations_token_hash_key').on(t.tokenHash),
    uniqueIndex('invitations_pending_email_key')
      .on(t.organizationId, t.email)
      .where(sql`${t.status} = 'pending'`),
    index('invitations_list_idx').on(t.organizationId, t.status, t.sentAt, t.id),
    index('invitations_expires_at_idx').on(t.expiresAt),
    index('invitations_invited_by_idx').on(t.invitedBy),
    index('invitations_accepted_by_idx').on(t.acceptedBy),
    check('invitations_email_is_lower_case', sql`${t.email} = lower(${t.email})`),
    check('invitations_role_is_known', sql`${t.role} in ('ADMIN', 'MEMBER', 'VIEWER')`),
    check(
      'invitations_status_is_known',
      sql`${t.status} in ('pending', 'accepted', 'rejected', 'cancelled')`,
    ),
    tenantPolicy(),
    systemPolicy(),
  ],
)
