import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { idempotencyKeys } from '../../tables/idempotency-keys.ts'
import { kubeconfigTokens } from '../../tables/kubeconfig-tokens.ts'
import { sessions } from '../../tables/sessions.ts'
import { uuidv7 } from '../crypto/uuid.ts'
import { sweepExpired } from './retention.ts'

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
  await sweepExpired(database, now)
  const left = await database.asSystem('test', async (db) => ({
    sessions: await db.select({ expiresAt: sessions.expiresAt }).from(sessions),
    keys: await db.select({ key: idempotencyKeys.key }).from(idempotencyKeys),
    tokens: await db.select({ label: kubeconfigTokens.label }).from(kubeconfigTokens),
  }))
  expect(left.sessions).toEqual([{ expiresAt: hours(1) }])
  expect(left.keys).toEqual([{ key: '-23' }])
  expect(left.tokens.map((each) => each.label).toSorted()).toEqual(['just expired', 'live'])
})
