import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import { mailOutbox } from '../../tables/mail-outbox.ts'
import { uuidv7 } from '../crypto/uuid.ts'
import type { Db } from '../db/transaction.ts'

export type Mail = {
  to: string
  subject: string
  /** Plain text; lines end with `\n`. */
  text: string
  /** `file` for what the person who runs the instance can pass on, such as reset links. Default: `drop`. */
  withoutSmtp?: 'file' | 'drop'
}

/**
 * Queues a mail in the caller's transaction: it is sent when that commits, and never if it rolls back. Answers the id of
 * the mail. `to` must be one address that `isEmail` accepts.
 */
export async function enqueueMail(
  db: Db,
  { to, subject, text, withoutSmtp = 'drop' }: Mail,
): Promise<string> {
  const id = uuidv7()
  await db.insert(mailOutbox).values({ id, recipient: to, subject, text, withoutSmtp })
  return id
}

export type QueuedMail = Pick<
  typeof mailOutbox.$inferSelect,
  'id' | 'recipient' | 'subject' | 'text' | 'withoutSmtp' | 'attempts' | 'createdAt'
>

/**
 * Takes up to `limit` mails that are due, each for one process until `until`, and counts the attempt. It is counted
 * before the mail is sent: a crash while sending must use up an attempt, too.
 */
export async function claimDueMails(
  db: Db,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<QueuedMail[]> {
  const due = db
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(and(isNull(mailOutbox.endedAt), lte(mailOutbox.nextAt, now)))
    .orderBy(asc(mailOutbox.nextAt))
    .limit(limit)
    .for('update', { skipLocked: true })
  return db
    .update(mailOutbox)
    .set({ nextAt: until, attempts: sql`${mailOutbox.attempts} + 1` })
    .where(inArray(mailOutbox.id, due))
    .returning({
      id: mailOutbox.id,
      recipient: mailOutbox.recipient,
      subject: mailOutbox.subject,
      text: mailOutbox.text,
      withoutSmtp: mailOutbox.withoutSmtp,
      attempts: mailOutbox.attempts,
      createdAt: mailOutbox.createdAt,
    })
}

type Ending = { outcome: NonNullable<typeof mailOutbox.$inferSelect.outcome>; lastError?: string }

/** Notes how a mail ended and forgets its text. */
export async function endMail(db: Db, id: string, now: Date, ending: Ending): Promise<void> {
  await db
    .update(mailOutbox)
    .set({ ...ending, endedAt: now, text: '' })
    .where(and(eq(mailOutbox.id, id), isNull(mailOutbox.endedAt)))
}

export async function postponeMail(db: Db, id: string, nextAt: Date, lastError: string): Promise<void> {
  await db
    .update(mailOutbox)
    .set({ nextAt, lastError })
    .where(and(eq(mailOutbox.id, id), isNull(mailOutbox.endedAt)))
}
