import { and, eq, gt, max, sql } from 'drizzle-orm'
import { hashToken } from '../../../platform/crypto/token.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { deviceLogins } from '../../../tables/device-logins.ts'
import { sessions } from '../../../tables/sessions.ts'

/** What a program says of itself. */
export type Program = { hostName: string; client: string; version: string; platform: string }

const columns = {
  id: deviceLogins.id,
  status: deviceLogins.status,
  hostName: deviceLogins.hostName,
  client: deviceLogins.client,
  version: deviceLogins.version,
  platform: deviceLogins.platform,
  ip: deviceLogins.ip,
  intervalSeconds: deviceLogins.intervalSeconds,
  polledAt: deviceLogins.polledAt,
  expiresAt: deviceLogins.expiresAt,
  createdAt: deviceLogins.createdAt,
}

type NewDeviceLogin = {
  deviceCode: string
  userCode: string
  program: Program
  ip: string
  intervalSeconds: number
  now: Date
  expiresAt: Date
}

/** Writes a request. False if its user code is taken by another one: choose a new code. */
export async function insertDeviceLogin(db: Db, request: NewDeviceLogin): Promise<boolean> {
  const { deviceCode, userCode, program, ip, intervalSeconds, now, expiresAt } = request
  const rows = await db
    .insert(deviceLogins)
    .values({
      id: uuidv7(),
      deviceCodeHash: hashToken(deviceCode),
      userCodeHash: hashToken(userCode),
      ...program,
      ip,
      intervalSeconds,
      expiresAt,
      createdAt: now,
    })
    .onConflictDoNothing({ target: deviceLogins.userCodeHash })
    .returning({ id: deviceLogins.id })
  return rows.length === 1
}

/** A request that waits for its person, by the code that the terminal shows. */
export async function findPending(db: Db, userCode: string, now: Date) {
  const rows = await db.select(columns).from(deviceLogins).where(isPending(userCode, now))
  return rows[0]
}

/** The same, held against other requests until the transaction ends. */
export async function holdPending(db: Db, userCode: string, now: Date) {
  const rows = await db.select(columns).from(deviceLogins).where(isPending(userCode, now)).for('update')
  return rows[0]
}

function isPending(userCode: string, now: Date) {
  return and(
    eq(deviceLogins.userCodeHash, hashToken(userCode)),
    eq(deviceLogins.status, 'pending'),
    gt(deviceLogins.expiresAt, now),
  )
}

/**
 * The request of a program by its own code, held until the transaction ends: of two polls at once the second waits, and
 * finds what the first left. `method` and `confirmedAt` are those of the session that confirmed.
 */
export async function holdByDeviceCode(db: Db, deviceCode: string, now: Date) {
  const rows = await db
    .select({
      ...columns,
      userId: deviceLogins.userId,
      method: sessions.method,
      confirmedAt: sessions.confirmedAt,
    })
    .from(deviceLogins)
    .leftJoin(sessions, eq(sessions.id, deviceLogins.sessionId))
    .where(and(eq(deviceLogins.deviceCodeHash, hashToken(deviceCode)), gt(deviceLogins.expiresAt, now)))
    .for('update', { of: deviceLogins })
  return rows[0]
}

export async function markConfirmed(
  db: Db,
  id: string,
  by: { userId: number; sessionId: string },
): Promise<void> {
  await db
    .update(deviceLogins)
    .set({ status: 'confirmed', ...by })
    .where(eq(deviceLogins.id, id))
}

export async function markRefused(db: Db, id: string): Promise<void> {
  await db.update(deviceLogins).set({ status: 'refused' }).where(eq(deviceLogins.id, id))
}

export async function markPolled(db: Db, id: string, now: Date, intervalSeconds: number): Promise<void> {
  await db.update(deviceLogins).set({ polledAt: now, intervalSeconds }).where(eq(deviceLogins.id, id))
}

export async function deleteDeviceLogin(db: Db, id: string): Promise<void> {
  await db.delete(deviceLogins).where(eq(deviceLogins.id, id))
}

/** When a live session of a user on a machine of this name began, the latest; null if there is none. */
export async function machineKnownSince(
  db: Db,
  userId: number,
  hostName: string,
  now: Date,
): Promise<Date | null> {
  const rows = await db
    .select({ at: max(sessions.createdAt) })
    .from(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        sql`lower(${sessions.deviceName}) = lower(${hostName})`,
        gt(sessions.expiresAt, now),
      ),
    )
  return rows[0]?.at ?? null
}
