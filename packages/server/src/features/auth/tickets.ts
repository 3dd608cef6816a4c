import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import { hashToken, newToken } from '../../platform/crypto/token.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import { signInTickets } from '../../tables/sign-in-tickets.ts'

/** What each kind of ticket carries from one step of a sign-in to the next. */
export type TicketData = {
  password_reset: object
  second_factor: { method: string }
  /** The sealed secret of an app that replaces the one in use, in base 64. */
  totp: { secret: string }
  oauth_start: {
    provider: string
    intent: 'login' | 'link' | 'confirm'
    codeVerifier: string
    nonce: string
    redirectUri: string
    /** Hash of the cookie of the browser that began. */
    browser: string
    from?: string | undefined
    sessionId?: string | undefined
  }
  oauth_done: { method: string; browser: string; isNew: boolean }
  /** Opens the demo of an instance that was started to show one. */
  demo: object
  passkey: { purpose: 'login' | 'second_factor' | 'confirm' | 'register'; relyingParty: string }
}

type TicketKind = keyof TicketData

export type Ticket<K extends TicketKind> = {
  id: string
  userId: number | null
  data: TicketData[K]
  attempts: number
  expiresAt: Date
}

const lifetimeMinutes: Record<TicketKind, number> = {
  password_reset: 30,
  second_factor: 10,
  totp: 30,
  oauth_start: 10,
  oauth_done: 2,
  demo: 24 * 60,
  passkey: 5,
}

const columns = {
  id: signInTickets.id,
  userId: signInTickets.userId,
  data: signInTickets.data,
  attempts: signInTickets.attempts,
  expiresAt: signInTickets.expiresAt,
}

/** Writes a ticket and answers what opens it: `token`, or a new random one. It is kept nowhere. */
export async function issueTicket<K extends TicketKind>(
  db: Db,
  kind: K,
  values: { userId: number | null; data: TicketData[K]; now: Date; token?: string },
): Promise<{ token: string; expiresAt: Date }> {
  const { userId, data, now, token = newToken('bey_ticket') } = values
  const expiresAt = new Date(now.getTime() + lifetimeMinutes[kind] * 60_000)
  await db
    .insert(signInTickets)
    .values({ id: uuidv7(), kind, tokenHash: hashToken(token), userId, data, expiresAt })
  return { token, expiresAt }
}

/** Uses a ticket up. Undefined if it was used before, has expired, or never was. */
export async function takeTicket<K extends TicketKind>(
  db: Db,
  kind: K,
  token: string,
  now: Date,
): Promise<Ticket<K> | undefined> {
  const rows = await db
    .delete(signInTickets)
    .where(isLive(kind, token, now))
    .returning(columns)
  return ticketOf<K>(rows[0])
}

/** A ticket that stays, held against other requests until the transaction ends. */
export async function holdTicket<K extends TicketKind>(
  db: Db,
  kind: K,
  token: string,
  now: Date,
): Promise<Ticket<K> | undefined> {
  const rows = await db
    .select(columns)
    .from(signInTickets)
    .where(isLive(kind, token, now))
    .for('update')
  return ticketOf<K>(rows[0])
}

/** Counts a wrong answer. */
export async function countAttempt(db: Db, id: string): Promise<void> {
  await db
    .update(signInTickets)
    .set({ attempts: sql`${signInTickets.attempts} + 1` })
    .where(eq(signInTickets.id, id))
}

export async function dropTicket(db: Db, id: string): Promise<void> {
  await db.delete(signInTickets).where(eq(signInTickets.id, id))
}

/** Ends what was begun with a password that is no longer the user's. */
export async function dropTicketsOf(db: Db, userId: number, kinds: readonly TicketKind[]): Promise<void> {
  await db
    .delete(signInTickets)
    .where(and(eq(signInTickets.userId, userId), inArray(signInTickets.kind, [...kinds])))
}

/** Tickets of a kind that a user holds, the expired ones too. */
export async function countTicketsOf(db: Db, userId: number, kind: TicketKind): Promise<number> {
  return db.$count(signInTickets, and(eq(signInTickets.userId, userId), eq(signInTickets.kind, kind)))
}

function isLive(kind: TicketKind, token: string, now: Date) {
  return and(
    eq(signInTickets.tokenHash, hashToken(token)),
    eq(signInTickets.kind, kind),
    gt(signInTickets.expiresAt, now),
  )
}

function ticketOf<K extends TicketKind>(
  row: (Omit<Ticket<K>, 'data'> & { data: object }) | undefined,
): Ticket<K> | undefined {
  // Only `issueTicket` writes the column, and the kind says what it wrote.
  return row as Ticket<K> | undefined
}
