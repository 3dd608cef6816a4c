import { notificationBounds } from '@bey/contract'
import { expect, test, vi } from 'vitest'
import { openSocket } from '../../platform/live/testing/live-server.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { actAs } from '../../platform/db/acting-user.ts'
import { testApp } from '../../testing/app.ts'
import type { GivenUser } from '../../testing/given.ts'
import { notifications } from '../../tables/notifications.ts'

const app = await testApp()
const { ask, given, database } = app
const as = ({ token, organizationId }: GivenUser) => ({ token, organizationId })
const path = '/api/notifications'

const note = (values: object = {}) => ({
  id: uuidv7(),
  level: 'error',
  title: 'Action failed',
  at: new Date().toISOString(),
  ...values,
})

const record = (user: GivenUser, ...notes: object[]) =>
  ask('POST', path, { ...as(user), body: { notifications: notes } })

const titles = async (user: GivenUser, query = '') =>
  (await ask('GET', `${path}${query}`, as(user))).body.notifications.map(
    (each: { title: string }) => each.title,
  )

const unread = async (user: GivenUser) => (await ask('GET', `${path}/unread`, as(user))).body.unreadCount

test('what toasts said is kept, newest first, with cause, request id and place, unread', async () => {
  const user = await given.user()
  const earlier = new Date(Date.now() - 60_000).toISOString()
  const reply = await record(
    user,
    note({
      title: 'Failed to load data',
      detail: 'The server cannot be reached.',
      requestId: 'req-7',
      href: '/',
    }),
    note({ title: 'Signed in elsewhere', level: 'info', at: earlier }),
  )
  expect([reply.status, reply.body]).toEqual([201, { unreadCount: 2 }])
  const { body } = await ask('GET', path, as(user))
  expect(body).toMatchObject({
    notifications: [
      {
        kind: 'toast',
        level: 'error',
        title: 'Failed to load data',
        detail: 'The server cannot be reached.',
        requestId: 'req-7',
        href: '/',
        subject: null,
        readAt: null,
      },
      { level: 'info', title: 'Signed in elsewhere', at: earlier, detail: null, requestId: null, href: null },
    ],
    nextCursor: null,
  })
})

test('a repeated request writes nothing twice, with or without its Idempotency-Key', async () => {
  const user = await given.user()
  const same = note()
  for (let time = 0; time < 3; time += 1) expect((await record(user, same)).body).toEqual({ unreadCount: 1 })
  expect(await titles(user)).toHaveLength(1)
})

test('a colleague sees, reads and dismisses nothing of it, and an id of mine is free for them', async () => {
  const user = await given.user()
  const colleague = await given.user({ organizationId: user.organizationId })
  const mine = note()
  await record(user, mine)
  expect(await titles(colleague)).toEqual([])
  expect(await unread(colleague)).toBe(0)
  const one = `${path}/${mine.id}`
  expect((await ask('PATCH', one, { ...as(colleague), body: { isRead: true } })).status).toBe(404)
  expect((await ask('DELETE', one, as(colleague))).status).toBe(404)
  await ask('POST', `${path}/read`, { ...as(colleague), body: { until: new Date().toISOString() } })
  await ask('DELETE', path, as(colleague))
  await record(colleague, { ...mine, title: 'Mine now' })
  expect(await titles(user)).toEqual(['Action failed'])
  expect(await unread(user)).toBe(1)
  expect(await titles(colleague)).toEqual(['Mine now'])
})

test('the database itself keeps colleagues apart, and what is said in another organization', async () => {
  const user = await given.user()
  const colleague = await given.user({ organizationId: user.organizationId })
  await record(user, note())
  const seen = (organizationId: number, userId: number | undefined) =>
    database.withTenant(organizationId, async (db) => {
      if (userId !== undefined) await actAs(db, userId)
      return (await db.select({ id: notifications.id }).from(notifications)).length
    })
  expect(await seen(user.organizationId, user.id)).toBe(1)
  expect(await seen(user.organizationId, colleague.id)).toBe(0)
  expect(await seen(user.organizationId, undefined)).toBe(0)
  const elsewhere = await given.organization()
  expect(await seen(elsewhere.id, user.id)).toBe(0)
  const forge = database.withTenant(user.organizationId, async (db) => {
    await actAs(db, colleague.id)
    await db.insert(notifications).values({
      organizationId: user.organizationId,
      userId: user.id,
      id: uuidv7(),
      kind: 'toast',
      level: 'error',
      title: 'Forged',
      at: new Date(),
    })
  })
  await expect(forge).rejects.toMatchObject({ cause: { code: '42501' } })
})

test('pages of any size give everything once, filters apply, and a cursor that nobody gave is refused', async () => {
  const user = await given.user()
  const at = new Date().toISOString()
  const notes = Array.from({ length: 7 }, (_, index) =>
    note({ title: `n${index}`, at, level: index % 2 ? 'error' : 'success' }),
  )
  await record(user, ...notes)
  const seen: string[] = []
  let query = '?limit=3'
  for (;;) {
    const { body } = await ask('GET', `${path}${query}`, as(user))
    seen.push(...body.notifications.map((each: { title: string }) => each.title))
    if (body.nextCursor === null) break
    query = `?limit=3&cursor=${body.nextCursor}`
  }
  expect(seen).toEqual(notes.map((each) => each.title).toReversed())
  expect(await titles(user, '?show=errors')).toEqual(['n5', 'n3', 'n1'])
  await ask('PATCH', `${path}/${notes[6]?.id}`, { ...as(user), body: { isRead: true } })
  expect(await titles(user, '?show=unread&limit=1')).toEqual(['n5'])
  for (const cursor of ['x', '1', `9-${'a'.repeat(36)}`, "1-' or 1=1"]) {
    const { status, body } = await ask('GET', `${path}?cursor=${encodeURIComponent(cursor)}`, as(user))
    expect([status, body.code], cursor).toEqual([400, 'invalid_request'])
  }
})

test('reading one, unreading it, reading all up to an instant, and clearing what is read', async () => {
  const user = await given.user()
  const [old, late] = [
    note({ title: 'old', at: new Date(Date.now() - 5_000).toISOString() }),
    note({ title: 'late' }),
  ]
  await record(user, old, late)
  const set = (isRead: boolean) => ask('PATCH', `${path}/${old.id}`, { ...as(user), body: { isRead } })
  expect((await set(true)).body).toMatchObject({
    title: 'old',
    readAt: expect.stringMatching(/Z$/) as string,
  })
  expect((await set(false)).body).toMatchObject({ title: 'old', readAt: null })
  const until = new Date(Date.now() - 4_000).toISOString()
  expect((await ask('POST', `${path}/read`, { ...as(user), body: { until } })).body).toEqual({
    unreadCount: 1,
  })
  expect((await ask('DELETE', path, as(user))).body).toEqual({ dismissedCount: 1 })
  expect(await titles(user)).toEqual(['late'])
  expect((await ask('DELETE', `${path}/${late.id}`, as(user))).status).toBe(204)
  expect((await ask('DELETE', `${path}/${late.id}`, as(user))).status).toBe(404)
  expect(await titles(user)).toEqual([])
})

test('the unread are counted exactly to 99, the newest 500 stay', async () => {
  const user = await given.user()
  for (let sent = 0; sent < 5; sent += 1) {
    await record(user, ...Array.from({ length: 20 }, (_, index) => note({ title: `n${sent * 20 + index}` })))
    expect(await unread(user)).toBe((sent + 1) * 20)
  }
  for (let sent = 5; sent < 26; sent += 1) {
    await record(user, ...Array.from({ length: 20 }, (_, index) => note({ title: `n${sent * 20 + index}` })))
  }
  expect(await unread(user)).toBe(100)
  let kept = 0
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await ask('GET', `${path}?limit=200${cursor && `&cursor=${cursor}`}`, as(user))
    kept += body.notifications.length
    cursor = body.nextCursor
  }
  expect(kept).toBe(notificationBounds.maxKept)
})

test('a secret that a message holds is not written', async () => {
  const user = await given.user()
  const token = `bey_session_${'x'.repeat(43)}`
  await record(
    user,
    note({ title: `Failed with ${token}`, detail: `Authorization: Bearer ${'a'.repeat(40)}` }),
  )
  const { text } = await ask('GET', path, as(user))
  expect(text).not.toContain(token)
  expect(text).not.toContain('a'.repeat(40))
  expect(text).toContain('[redacted]')
})

test.each([
  ['an address elsewhere', { href: 'https://evil.example/' }],
  ['an address elsewhere without a scheme', { href: '//evil.example/' }],
  ['one with a backslash', { href: '/\\evil.example' }],
  ['a script', { href: 'javascript:alert(1)' }],
  ['a title that is too long', { title: 'x'.repeat(201) }],
  ['no title', { title: '  ' }],
  ['a detail that is too long', { detail: 'x'.repeat(1_001) }],
  ['a level that is none', { level: 'fatal' }],
  ['an id that is none', { id: '1' }],
  ['another user', { userId: 1 }],
  ['a kind of its own', { kind: 'run' }],
])('%s is refused', async (_name, values) => {
  const user = await given.user()
  const { status, body } = await record(user, note(values))
  expect([status, body.code]).toEqual([400, 'invalid_request'])
  expect(await titles(user)).toEqual([])
})

test('no more than 20 come at once', async () => {
  const user = await given.user()
  expect((await record(user, ...Array.from({ length: 21 }, () => note()))).status).toBe(400)
  expect((await record(user)).status).toBe(400)
})

test('a time in the future is now, and one long ago is a day ago', async () => {
  const user = await given.user()
  await record(user, note({ at: '2999-01-01T00:00:00Z' }), note({ at: '1999-01-01T00:00:00Z' }))
  const { body } = await ask('GET', path, as(user))
  const [first, second] = body.notifications.map((each: { at: string }) => Date.now() - Date.parse(each.at))
  expect(first).toBeGreaterThanOrEqual(0)
  expect(first).toBeLessThan(60_000)
  expect(Math.abs(second - 24 * 3_600_000)).toBeLessThan(60_000)
})

test('each socket of this user hears of it with what is unread, and no colleague’s', async () => {
  const user = await given.user()
  const colleague = await given.user({ organizationId: user.organizationId })
  const url = `${app.url.replace('http', 'ws')}/ws`
  const connect = async (who: GivenUser) => {
    const socket = await openSocket(url)
    await socket.authenticate(who.token, who.organizationId)
    return socket
  }
  const [tab, device, other] = [await connect(user), await connect(user), await connect(colleague)]
  await record(user, note())
  await record(colleague, note())
  for (const socket of [tab, device, other]) await socket.frame('NOTIFICATIONS_UPDATE')
  const heard = (socket: typeof tab) => socket.events('NOTIFICATIONS_UPDATE').map((each) => each.data)
  expect([tab, device, other].map(heard)).toEqual([
    [{ userId: user.id, unreadCount: 1 }],
    [{ userId: user.id, unreadCount: 1 }],
    [{ userId: colleague.id, unreadCount: 1 }],
  ])
})

test('who leaves the organization leaves the notifications that they got there', async () => {
  const user = await given.user()
  await record(user, note())
  await database.asSystem('test', (db) => db.execute(`delete from memberships where user_id = ${user.id}`))
  const left = await database.asSystem('test', (db) =>
    db.execute(`select 1 from notifications where user_id = ${user.id}`),
  )
  expect(left.rowCount).toBe(0)
})

test('the runs that are not over are a list of their own', async () => {
  const user = await given.user()
  const { organizationId } = user
  const running = await given.run({ organizationId, status: 'running' })
  await given.run({ organizationId, status: 'completed' })
  const waiting = await given.run({ organizationId, status: 'needs_attention' })
  const ids = async (isOver: string) =>
    (await ask('GET', `/api/v1/workflows/runs?is_over=${isOver}`, as(user))).body.runs.map(
      (each: { id: string }) => each.id,
    )
  expect((await ids('false')).toSorted()).toEqual([running.id, waiting.id].toSorted())
  expect(await ids('true')).toHaveLength(1)
  expect((await ask('GET', '/api/v1/workflows/runs?is_over=maybe', as(user))).status).toBe(400)
})

test('who asks for a cluster is notified when it stands, and nobody else', async () => {
  const user = await given.user()
  const colleague = await given.user({ organizationId: user.organizationId, role: 'ADMIN' })
  const body = { title: 'told', provider: 'sandbox' }
  const { body: cluster } = await ask('POST', '/api/kubernetes/clusters', { ...as(user), body })
  await vi.waitFor(async () => expect(await unread(user)).toBe(1), { timeout: 60_000, interval: 50 })
  const reply = await ask('GET', path, as(user))
  expect(reply.body.notifications).toMatchObject([
    {
      kind: 'run',
      level: 'success',
      title: 'Provision cluster completed',
      subject: { type: 'cluster', id: String(cluster.id), name: 'told', isGone: false },
    },
  ])
  expect(await titles(colleague)).toEqual([])
})
