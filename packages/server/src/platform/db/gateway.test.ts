import { randomBytes } from 'node:crypto'

import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'

import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { kubeconfigTokens } from '../../tables/kubeconfig-tokens.ts'
import { memberships } from '../../tables/memberships.ts'
import { sessions } from '../../tables/sessions.ts'
import { hashToken, newToken } from '../crypto/token.ts'
import { uuidv7 } from '../crypto/uuid.ts'
import { authenticateKubeconfigToken, authenticateSession, findLogin, myOrganizations } from './gateway.ts'

const database = await testDatabase()
const given = createGiven(database)
const { pool } = database

const changeSession = (id: string, set: { lastUsedAt?: Date; expiresAt?: Date }) =>
  database.asSystem('test', (db) => db.update(sessions).set(set).where(eq(sessions.id, id)))

const day = 86_400_000

test('a session tells user, organization and role in one query', async () => {
  const user = await given.user({ role: 'ADMIN', name: 'Grace' })
  const found = await authenticateSession(pool, hashToken(user.token), undefined)
  expect(found).toMatchObject({
    sessionId: user.sessionId,
    userId: user.id,
    email: user.email,
    name: 'Grace',
    organizationId: user.organizationId,
    activeOrganizationId: user.organizationId,
    role: 'ADMIN',
  })
  expect(found?.expiresAt).toBeInstanceOf(Date)
})

test('an unknown or expired token is nobody', async () => {
  const user = await given.user()
  await changeSession(user.sessionId, { expiresAt: new Date(Date.now() - 1000) })
  expect(await authenticateSession(pool, hashToken(user.token), undefined)).toBeUndefined()
  expect(await authenticateSession(pool, hashToken(newToken('bey_session')), undefined)).toBeUndefined()
})

test('the organization asked for is taken if it is theirs, and is null if not', async () => {
  const user = await given.user({ role: 'OWNER' })
  const second = await given.organization({ name: 'Second' })
  const foreign = await given.organization()
  await database.asSystem('test', (db) =>
    db.insert(memberships).values({ organizationId: second.id, userId: user.id, role: 'VIEWER' }),
  )
  const asked = (id: number) => authenticateSession(pool, hashToken(user.token), id)
  expect(await asked(second.id)).toMatchObject({
    organizationId: second.id,
    organizationName: 'Second',
    role: 'VIEWER',
  })
  expect(await asked(foreign.id)).toMatchObject({ userId: user.id, organizationId: null, role: null })
  expect(await myOrganizations(pool, user.id)).toMatchObject([
    { id: user.organizationId, role: 'OWNER' },
    { id: second.id, role: 'VIEWER', name: 'Second' },
  ])
})

const stored = async (userId: number) => {
  const rows = await database.withUser(userId, (db) =>
    db
      .select({
        usedMs: sql<number>`extract(epoch from now() - ${sessions.lastUsedAt})::float8 * 1000`,
        expiresAt: sessions.expiresAt,
        row: sql<string>`xmin::text`,
      })
      .from(sessions),
  )
  return rows[0]!
}
const ago = (ms: number) => new Date(Date.now() - ms)

test('a session slides by 30 days, at most once an hour', async () => {
  const user = await given.user()
  const nearly = new Date(Date.now() + 30 * day - 59 * 60_000)
  await changeSession(user.sessionId, { expiresAt: nearly, lastUsedAt: ago(59 * 60_000) })
  expect((await authenticateSession(pool, hashToken(user.token), undefined))?.expiresAt).toEqual(nearly)
  await changeSession(user.sessionId, { expiresAt: new Date(Date.now() + day), lastUsedAt: ago(120_000) })
  const slid = await authenticateSession(pool, hashToken(user.token), undefined)
  expect(slid?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 29.9 * day)
  expect((await stored(user.id)).expiresAt.getTime()).toBeGreaterThan(Date.now() + 29.9 * day)
})

test('the last use of a session is at most a minute old, and written at most once a minute', async () => {
  const user = await given.user()
  await changeSession(user.sessionId, { lastUsedAt: ago(61_000) })
  await authenticateSession(pool, hashToken(user.token), undefined)
  const used = await stored(user.id)
  expect(used.usedMs).toBeLessThan(60_000)
  for (let n = 0; n < 5; n += 1) await authenticateSession(pool, hashToken(user.token), undefined)
  expect((await stored(user.id)).row).toBe(used.row)
})

test('what is asked for an open connection or by an unattended page is no use of a session', async () => {
  const user = await given.user()
  await changeSession(user.sessionId, { lastUsedAt: ago(10 * 60_000) })
  expect(await authenticateSession(pool, hashToken(user.token), undefined, false)).toBeDefined()
  expect((await stored(user.id)).usedMs).toBeGreaterThan(9 * 60_000)
})

async function givenKubeconfig() {
  const user = await given.user({ role: 'MEMBER' })
  const cluster = await given.cluster({ organizationId: user.organizationId })
  const token = newToken('bey_kube')
  const id = uuidv7()
  await database.withTenant(user.organizationId, (db) =>
    db.insert(kubeconfigTokens).values({
      id,
      organizationId: user.organizationId,
      userId: user.id,
      clusterId: cluster.id,
      tokenHash: hashToken(token),
      expiresAt: new Date(Date.now() + 3_600_000),
    }),
  )
  const change = (set: Partial<typeof kubeconfigTokens.$inferInsert>) =>
    database.withTenant(user.organizationId, (db) =>
      db.update(kubeconfigTokens).set(set).where(eq(kubeconfigTokens.id, id)),
    )
  return { user, cluster, token, change, ask: () => authenticateKubeconfigToken(pool, hashToken(token)) }
}

test('a kubeconfig token tells its cluster and the role of today', async () => {
  const { user, cluster, ask } = await givenKubeconfig()
  expect(await ask()).toMatchObject({ userId: user.id, clusterId: cluster.id, role: 'MEMBER' })
  await database.asSystem('test', (db) =>
    db.update(memberships).set({ role: 'VIEWER' }).where(eq(memberships.userId, user.id)),
  )
  expect(await ask()).toMatchObject({ role: 'VIEWER' })
  await database.asSystem('test', (db) => db.delete(memberships).where(eq(memberships.userId, user.id)))
  expect(await ask()).toBeUndefined()
})

test('a revoked or expired kubeconfig token is nobody', async () => {
  const revoked = await givenKubeconfig()
  await revoked.change({ revokedAt: new Date() })
  expect(await revoked.ask()).toBeUndefined()
  const expired = await givenKubeconfig()
  await expired.change({ expiresAt: new Date(Date.now() - 1) })
  expect(await expired.ask()).toBeUndefined()
})

test('a log-in is found by the address in any case, and not by a stranger to it', async () => {
  const user = await given.user({ email: 'mixed@example.com', password: 'correct horse 1!' })
  const found = await findLogin(pool, 'Mixed@Example.com')
  expect(found).toMatchObject({ userId: user.id, activeOrganizationId: user.organizationId })
  expect(found?.passwordHash).toMatch(/^\$argon2id\$/)
  expect(await findLogin(pool, `nobody-${randomBytes(4).toString('hex')}@example.com`)).toBeUndefined()
})

test('an address is kept in lower case only', async () => {
  await expect(given.user({ email: 'Upper@example.com' })).rejects.toMatchObject({ cause: { code: '23514' } })
  const taken = await given.user()
  await expect(given.user({ email: taken.email })).rejects.toMatchObject({
    cause: { constraint: 'users_email_key' },
  })
})

test('deleting an organization takes all that is in it and leaves its audit trail', async () => {
  const user = await given.user()
  await given.step({ organizationId: user.organizationId })
  await given.cluster({ organizationId: user.organizationId })
  await database.asSystem('test', (db) =>
    db.execute(sql`delete from organizations where id = ${user.organizationId}`),
  )
  const left = await database.asSystem('test', (db) =>
    db.execute(sql`select 1 from workflow_runs where organization_id = ${user.organizationId}`),
  )
  expect(left.rowCount).toBe(0)
  expect(await authenticateSession(pool, hashToken(user.token), undefined)).toMatchObject({
    organizationId: null,
    activeOrganizationId: null,
  })
})
