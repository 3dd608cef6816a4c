import { randomBytes } from 'node:crypto'

import { desc } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'

import { testDatabase } from '../../testing/database.ts'
import { fakeClock } from '../../testing/clock.ts'
import { createGiven } from '../../testing/given.ts'
import { errorGroups, errorHours } from '../../tables/error-groups.ts'
import { idempotencyKeys } from '../../tables/idempotency-keys.ts'
import { kubeconfigTokens } from '../../tables/kubeconfig-tokens.ts'
import { notifications } from '../../tables/notifications.ts'
import { sessions } from '../../tables/sessions.ts'
import { firstUuidv7, uuidv7 } from '../crypto/uuid.ts'
import { createLog } from '../log.ts'
import { maxOccurrencesKept } from './expired.ts'
import { lockUntilCommit } from './locks.ts'
import { startRetention, sweepExpired } from './retention.ts'

const database = await testDatabase()
const given = createGiven(database)
const now = new Date('2026-06-01T00:00:00.000Z')
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000)

test('what has run out is deleted, what has not is kept', async () => {
  const user = await given.user()
  const cluster = await given.cluster({ organizationId: user.organizationId })
  await database.asSystem('test', async (db) => {
    await db.delete(sessions)
    await db.insert(sessions).values(
      [-1, 1].map((offset) => ({
        id: uuidv7(),
        userId: user.id,
        tokenHash: randomBytes(32),
        expiresAt: hours(offset),
      })),
    )
    await db.insert(idempotencyKeys).values(
      [-25, -23].map((offset) => ({
        id: uuidv7(),
        userId: user.id,
        key: String(offset),
        endpoint: 'POST /x',
        requestHash: randomBytes(32),
        createdAt: hours(offset),
      })),
    )
    await db.insert(kubeconfigTokens).values(
      [
        { label: 'long expired', expiresAt: hours(-31 * 24) },
        { label: 'long revoked', expiresAt: hours(24), revokedAt: hours(-31 * 24) },
        { label: 'just expired', expiresAt: hours(-1) },
        { label: 'live', expiresAt: hours(1) },
      ].map((values) => ({
        ...values,
        id: uuidv7(),
        organizationId: user.organizationId,
        userId: user.id,
        clusterId: cluster.id,
        tokenHash: randomBytes(32),
      })),
    )
  })
  const { organizationId } = user
  await database.withTenant(organizationId, async (db) => {
    const error = (message: string, age: number, status: 'open' | 'resolved' = 'open') => ({
      id: uuidv7(),
      organizationId,
      fingerprint: randomBytes(32),
      message,
      status,
      culprit: '',
      kind: 'error' as const,
      firstSeenAt: hours(age),
      lastSeenAt: hours(age),
      firstRelease: '1',
      lastRelease: '1',
    })
    const recent = error('recent', -29 * 24, 'resolved')
    await db
      .insert(errorGroups)
      .values([
        recent,
        error('long resolved', -31 * 24, 'resolved'),
        error('old', -89 * 24),
        error('too old', -91 * 24),
      ])
    await db.insert(errorHours).values(
      [-16 * 24, -14 * 24].map((age) => ({
        organizationId,
        groupId: recent.id,
        hour: hours(age),
        occurrenceCount: 1,
      })),
    )
  })
  await sweepExpired(database, now)
  const left = await database.asSystem('test', async (db) => ({
    sessions: await db.select({ expiresAt: sessions.expiresAt }).from(sessions),
    keys: await db.select({ key: idempotencyKeys.key }).from(idempotencyKeys),
    errors: await db.select({ message: errorGroups.message }).from(errorGroups),
    errorHours: await db.select({ hour: errorHours.hour }).from(errorHours),
    tokens: await db.select({ label: kubeconfigTokens.label }).from(kubeconfigTokens),
  }))
  expect(left.sessions).toEqual([{ expiresAt: hours(1) }])
  expect(left.errors.map((each) => each.message).toSorted()).toEqual(['old', 'recent'])
  expect(left.errorHours).toEqual([{ hour: hours(-14 * 24) }])
  expect(left.keys).toEqual([{ key: '-23' }])
  expect(left.tokens.map((each) => each.label).toSorted()).toEqual(['just expired', 'live'])
})

test('notifications go after 90 days, and each person keeps the newest 500 of an organization', async () => {
  const [busy, quiet] = [await given.user(), await given.user()]
  const notes = (user: typeof busy, count: number, ageHours = 0) =>
    Array.from({ length: count }, (_, index) => ({
      organizationId: user.organizationId,
      userId: user.id,
      id: uuidv7(),
      kind: 'run' as const,
      level: 'info' as const,
      title: `n${index}`,
      at: new Date(hours(-ageHours).getTime() - index * 1000),
    }))
  await database.asSystem('test', async (db) => {
    await db.insert(notifications).values([...notes(busy, 503), ...notes(quiet, 3)])
    await db.insert(notifications).values(notes(quiet, 2, 91 * 24))
  })
  await sweepExpired(database, now)
  const left = await database.asSystem('test', (db) =>
    db
      .select({ userId: notifications.userId, title: notifications.title })
      .from(notifications)
      .orderBy(desc(notifications.at)),
  )
  const of = (user: typeof busy) => left.filter((each) => each.userId === user.id).map((each) => each.title)
  expect([of(busy).length, of(busy)[0], of(busy).at(-1)]).toEqual([500, 'n0', 'n499'])
  expect(of(quiet)).toEqual(['n0', 'n1', 'n2'])
})

test('occurrences of errors go after 30 days, and each organization keeps the newest 10,000', async () => {
  const [busy, quiet] = [await given.user(), await given.user()]
  const errorOf = async (organizationId: number) => {
    const id = uuidv7()
    await database.asSystem('test', (db) =>
      db.insert(errorGroups).values({
        id,
        organizationId,
        fingerprint: randomBytes(32),
        message: 'x',
        culprit: '',
        kind: 'error',
        firstSeenAt: now,
        lastSeenAt: now,
        firstRelease: '1',
        lastRelease: '1',
      }),
    )
    return id
  }
  /** One a second, the last at `endMs`. */
  const occur = async (organizationId: number, count: number, endMs: number) => {
    const prefix = (ms: number) => firstUuidv7(ms).slice(0, 13)
    const groupId = await errorOf(organizationId)
    const ids = Array.from(
      { length: count },
      (_, n) => `${prefix(endMs - n * 1000)}-7000-8000-${String(organizationId).padStart(12, '0')}`,
    )
    await database.ownerPool.query(
      `insert into error_occurrences (id, organization_id, group_id, at, reported_at, release, message, stack,
         component_stack, source, user_agent, url, session_id, error_boundary, error_boundary_stack)
       select id, $2, $3, now(), now(), '1', 'x', '', '', '', '', '', '', '', '' from unnest($1::uuid[]) id`,
      [ids, organizationId, groupId],
    )
    return ids
  }
  const many = await occur(busy.organizationId, maxOccurrencesKept + 3, now.getTime())
  const young = await occur(quiet.organizationId, 1, hours(-29 * 24).getTime())
  await occur(quiet.organizationId, 2, hours(-31 * 24).getTime())
  await sweepExpired(database, now)
  const left = async (organizationId: number) => {
    const { rows } = await database.ownerPool.query<{ count: number; oldest: string }>(
      `select count(*)::int as count, (min(id::text))::uuid as oldest from error_occurrences where organization_id = $1`,
      [organizationId],
    )
    return rows[0]
  }
  expect(await left(busy.organizationId)).toEqual({
    count: maxOccurrencesKept,
    oldest: many[maxOccurrencesKept - 1],
  })
  expect(await left(quiet.organizationId)).toEqual({ count: 1, oldest: young[0] })
})

test('it sweeps at once and every hour until it stops, which waits for the sweep; what fails keeps nothing else', async () => {
  const clock = fakeClock(now)
  const user = await given.user()
  const expire = () =>
    database.asSystem('test', (db) =>
      db
        .insert(sessions)
        .values({ id: uuidv7(), userId: user.id, tokenHash: randomBytes(32), expiresAt: hours(-1) }),
    )
  const expired = async () =>
    (await database.ownerPool.query('select 1 from sessions where expires_at < $1', [now])).rows.length
  await expire()
  const log = createLog({ level: 'fatal' })
  const swept: Date[] = []
  const retentions = [
    () => Promise.reject(new Error('The first fails')),
    async (at: Date) => void swept.push(at),
  ]
  const stop = startRetention({ database, retentions, clock, log })
  await vi.waitUntil(async () => (await expired()) === 0, { timeout: 60_000 })
  await expire()
  clock.advance(3_600_000)
  await stop()
  expect(await expired()).toBe(0)
  expect(swept).toEqual([now, hours(1)])
  await expire()
  clock.advance(3_600_000)
  await stop()
  expect(await expired()).toBe(1)
})

test('while another process sweeps, this one does not', async () => {
  const user = await given.user()
  await database.asSystem('test', (db) =>
    db
      .insert(sessions)
      .values({ id: uuidv7(), userId: user.id, tokenHash: randomBytes(32), expiresAt: hours(-1) }),
  )
  const left = async () =>
    (
      await database.ownerPool.query('select 1 from sessions where user_id = $1 and expires_at < $2', [
        user.id,
        now,
      ])
    ).rows.length
  await database.asSystem('test', async (db) => {
    await lockUntilCommit(db, 'expiredRows')
    await sweepExpired(database, now)
    expect(await left()).toBe(1)
  })
  await sweepExpired(database, now)
  expect(await left()).toBe(0)
})
