import { sql } from 'drizzle-orm'
import { index, integer, pgPolicy, pgTable, text, uuid } from 'drizzle-orm/pg-core'

import { appRole, createdAt, currentOrganization, currentUserId, instant, systemPolicy } from './columns.ts'

/**
 * Mails that were queued with the change they tell of. Of the system: requests may add mails and not read them, because
 * texts contain links that work once. The text is emptied when the mail has been sent or given up; the row is deleted a
 * week later.
 */
export const mailOutbox = pgTable(
  'mail_outbox',
  {
    /** Also the Message-ID, so that a mail that is sent twice is shown once. */
    id: uuid('id').primaryKey(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    text: text('text').notNull(),
    /** What becomes of the mail on an instance without SMTP: written to the operator's file, or dropped. */
    withoutSmtp: text('without_smtp').$type<'file' | 'drop'>().notNull(),
    /** Attempts that were begun. */
    attempts: integer('attempts').notNull().default(0),
    /** When it is due; while a process sends it, when another one may. */
    nextAt: instant('next_at').notNull().defaultNow(),
    createdAt: createdAt(),
    /** When it was sent, written to the operator's file, or given up; then nothing is done with it any more. */
    endedAt: instant('ended_at'),
    /** Of an ended mail. */
    outcome: text('outcome').$type<'sent' | 'filed' | 'dropped' | 'failed'>(),
    /** Of the last attempt, in the words of the mail server. */
    lastError: text('last_error'),
  },
  (t) => [
    index('mail_outbox_due_idx')
      .on(t.nextAt)
      .where(sql`${t.endedAt} is null`),
    index('mail_outbox_ended_at_idx')
      .on(t.endedAt)
      .where(sql`${t.endedAt} is not null`),
    pgPolicy('add', {
      for: 'insert',
      to: appRole,
      withCheck: sql`${currentOrganization} is not null or ${currentUserId} is not null`,
    }),
    systemPolicy(),
  ],
)
