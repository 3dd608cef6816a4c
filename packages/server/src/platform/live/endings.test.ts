import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { fakeClock } from '../../testing/clock.ts'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { memberships } from '../../tables/memberships.ts'
import { sessions } from '../../tables/sessions.ts'
import { endAccess } from './access-end.ts'
import { sessionAuthenticator } from './authenticate.ts'
import { publish } from './publish.ts'
import { connect, flushed, liveServer, openSocket } from './testing/live-server.ts'
import { soonMs } from '../../testing/soon.ts'

const database = await testDatabase()
const given = createGiven(database)
const first = await liveServer(database)
const second = await liveServer(database)

const removeSession = (sessionId: string) =>
  database.asSystem('test', (db) => db.delete(sessions).where(eq(sessions.id, sessionId)))

const setRole = (userId: number, role: 'ADMIN' | 'VIEWER') =>
  database.asSystem('test', async (db) => {
    const [row] = await db
      .update(memberships)
      .set({ role })
      .where(eq(memberships.userId, userId))
      .returning({ organizationId: memberships.organizationId })
    await endAccess(db, { kind: 'member', organizationId: row?.organizationId ?? 0, userId })
  })

test('the sockets of a session that ended close in every process at once, and no others', async () => {
  const user = await given.user()
  const other = await given.user({ organizationId: user.organizationId })
  const sockets = [await connect(first.url, user), await connect(second.url, user)]
  const bystander = await connect(second.url, other)
  const startedAt = performance.now()
  first.live.closeSession(user.sessionId)
  for (const socket of sockets) {
    expect(await socket.closed()).toEqual({ code: 1008, reason: 'Session ended' })
  }
  expect(performance.now() - startedAt).toBeLessThan(soonMs)
  await flushed(bystander)
})

test('all sockets of a user can be closed', async () => {
  const user = await given.user()
  const socket = await connect(second.url, user)
  first.live.closeUser(user.id)
  expect(await socket.closed()).toMatchObject({ code: 1008 })
})

test('an access that ends in a transaction ends with its commit', async () => {
  const user = await given.user()
  const socket = await connect(first.url, user)
  const undone = database.asSystem('test', async (db) => {
    await endAccess(db, { kind: 'session', id: user.sessionId })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await database.asSystem('test', (db) => endAccess(db, { kind: 'session', id: user.sessionId }))
  expect(await socket.closed()).toMatchObject({ code: 1008 })
})

test('a session that ends while its socket is being authenticated does not slip in', async () => {
  const user = await given.user()
  const authenticate = sessionAuthenticator(database)
  const slow = await liveServer(database, {
    async authenticate(token, organizationId, ip) {
      const identity = await authenticate(token, organizationId, ip)
      slow.live.closeSession(user.sessionId)
      return identity
    },
  })
  const socket = await openSocket(slow.url)
  expect(await socket.authenticate(user.token, user.organizationId)).toMatchObject({
    payload: { success: false },
  })
  expect(await socket.closed()).toMatchObject({ code: 1008 })
})

test('who is no member any more is closed, and a changed role tells to fetch', async () => {
  const user = await given.user({ role: 'ADMIN' })
  const socket = await connect(first.url, user)
  await setRole(user.id, 'VIEWER')
  expect(await socket.frame('REFETCH')).toMatchObject({ payload: { reason: 'Your role changed' } })
  await database.asSystem('test', async (db) => {
    await db.delete(memberships).where(eq(memberships.userId, user.id))
    await endAccess(db, { kind: 'member', organizationId: user.organizationId, userId: user.id })
  })
  expect(await socket.closed()).toEqual({ code: 1008, reason: 'Session ended' })
})

test('a session that vanished without a word is found out within a minute', async () => {
  const clock = fakeClock()
  const looking = await liveServer(database, { clock })
  const user = await given.user()
  const socket = await connect(looking.url, user)
  clock.advance(60_000)
  await flushed(socket)
  expect(socket.isClosed()).toBe(false)
  await removeSession(user.sessionId)
  await expect
    .poll(() => {
      clock.advance(10_000)
      return socket.isClosed()
    })
    .toBe(true)
  expect(await socket.closed()).toEqual({ code: 1008, reason: 'Session ended' })
})

test('a database that is away ends no session', async () => {
  const clock = fakeClock()
  const user = await given.user()
  const authenticate = sessionAuthenticator(database)
  let isAway = false
  const server = await liveServer(database, {
    clock,
    authenticate: (token, id, ip) =>
      isAway ? Promise.reject(new Error('away')) : authenticate(token, id, ip),
  })
  const socket = await connect(server.url, user)
  isAway = true
  clock.advance(60_000)
  await flushed(socket)
  expect(socket.isClosed()).toBe(false)
})

const killListener = () =>
  database.ownerPool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'bey-live' and datname = current_database()`,
  )

test('when the listening connection is killed, every client is asked to fetch, and events arrive again', async () => {
  const user = await given.user()
  const sockets = [await connect(first.url, user), await connect(second.url, user)]
  await killListener()
  for (const socket of sockets) {
    expect(await socket.frame('REFETCH')).toMatchObject({
      payload: { reason: 'Events may have been missed' },
    })
  }
  await database.withTenant(user.organizationId, (db) =>
    publish(db, {
      organizationId: user.organizationId,
      type: 'WORKFLOW_UPDATE',
      data: { workflowId: 'w', status: 'running', lastRunAt: null },
    }),
  )
  for (const socket of sockets) await socket.frame('WORKFLOW_UPDATE')
})

test('a session that ended while nobody listened is found out as soon as somebody does', async () => {
  const user = await given.user()
  const socket = await connect(first.url, user)
  await removeSession(user.sessionId)
  await killListener()
  expect(await socket.closed()).toEqual({ code: 1008, reason: 'Session ended' })
})

test('a server that stops says so to every socket and lets nobody in', async () => {
  const stopping = await liveServer(database)
  const user = await given.user()
  const socket = await connect(stopping.url, user)
  const closing = stopping.live.close()
  await expect(openSocket(stopping.url)).rejects.toThrow('HTTP 503')
  expect(await socket.closed()).toEqual({ code: 1001, reason: 'The server is stopping' })
  await closing
})
