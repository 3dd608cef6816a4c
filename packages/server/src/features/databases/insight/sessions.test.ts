import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'

import { deleteExpired } from '../../../platform/db/expired.ts'
import { testApp } from '../../../testing/app.ts'
import type { GivenUser } from '../../../testing/given.ts'
import { databaseApi, query } from '../testing/database-api.ts'

const app = await testApp()
const { given } = app
const admin = await given.user({ role: 'ADMIN', name: 'Grace' })
const { organizationId } = admin
const member = await given.user({ role: 'MEMBER', organizationId, name: 'Ada' })
const { embedded, until, ask } = databaseApi(app, admin)
const { id, endpoint, password } = await embedded('shop')
const path = `/api/databases/${id}`
const clients: pg.Client[] = []
afterAll(() => Promise.all(clients.map((client) => client.end())))

async function connect(name: string): Promise<pg.Client> {
  const { username: user, host, port, database } = endpoint
  const client = new pg.Client({ host, port, database, user, password, application_name: name })
  client.on('error', () => undefined)
  await client.connect()
  clients.push(client)
  return client
}

const pidOf = async (client: pg.Client) =>
  Number((await client.query('select pg_backend_pid() as pid')).rows[0].pid)

const read = async (user: GivenUser = member) =>
  (await app.ask('GET', `${path}/sessions`, { token: user.token, organizationId })).body

/** What is listed once so many sessions wait. */
const whenWaiting = (count: number) =>
  vi.waitFor(
    async () => {
      const body = await read()
      expect(
        body.sessions.filter(({ blockedBy }: { blockedBy: number[] }) => blockedBy.length > 0),
      ).toHaveLength(count)
      return body.sessions as Record<string, unknown>[]
    },
    { timeout: 60_000, interval: 50 },
  )

test('who waits for whom is seen with relation, state and masked statement; an end frees and is audited', async () => {
  await query(endpoint, password, 'create table orders (id int primary key, state text)')
  await query(endpoint, password, "insert into orders values (1, 'open')")
  const holder = await connect('payments / worker')
  await holder.query('begin')
  await holder.query("update orders set state = 'paid' where id = 1 and state <> 'token=''hunter2-canary'''")
  const waiter = await connect('shop / checkout')
  const waiting = waiter
    .query("update orders set state = 'sent' where id = 1")
    .catch((error: unknown) => error)
  await whenWaiting(1)
  const second = await connect('migrate')
  const altering = second.query('alter table orders add column note text').catch((error: unknown) => error)
  const sessions = await whenWaiting(2)
  const [holderPid, waiterPid] = [
    await pidOf(holder),
    sessions.find((each) => each['client'] === 'shop / checkout')?.['pid'],
  ]
  expect(sessions.find(({ pid }) => pid === holderPid)).toMatchObject({
    client: 'payments / worker',
    username: 'shop',
    state: 'idle in transaction',
    blockedBy: [],
    hasChanges: true,
    writes: ['orders'],
  })
  expect(sessions.find(({ pid }) => pid === waiterPid)).toMatchObject({
    state: 'active',
    blockedBy: [holderPid],
    waitsFor: { lock: 'transactionid', relation: 'orders' },
    statement: "update orders set state = 'sent' where id = 1",
    waitingSince: expect.any(String),
  })
  expect(sessions.find(({ client }) => client === 'migrate')).toMatchObject({
    waitsFor: { lock: 'relation', mode: 'AccessExclusiveLock', relation: 'orders' },
    blockedBy: expect.arrayContaining([holderPid, waiterPid]),
  })

  const { clients, total } = await read()
  expect(clients).toContainEqual({ client: 'shop / checkout', connections: 1 })
  expect(clients.map(({ client }: { client: string }) => client)).toContain('payments / worker')
  expect(clients.reduce((sum: number, each: { connections: number }) => sum + each.connections, 0)).toBe(
    total,
  )

  const cancelled = sessions.find(({ client }) => client === 'migrate')
  const cancel = await ask('POST', `${path}/sessions/${String(cancelled?.['pid'])}/cancel`, {
    identity: cancelled?.['identity'],
  })
  expect([cancel.status, cancel.body]).toEqual([200, { isDone: true }])
  expect(await altering).toMatchObject({ code: '57014' })

  const ended = sessions.find(({ pid }) => pid === holderPid)
  const body = { identity: ended?.['identity'], reason: 'It holds up the checkout' }
  expect((await ask('POST', `${path}/sessions/${holderPid}/end`, { ...body, reason: ' ' })).status).toBe(400)
  const denied = await app.ask('POST', `${path}/sessions/${holderPid}/end`, {
    token: member.token,
    organizationId,
    body,
  })
  expect(denied.status).toBe(403)
  const end = await ask('POST', `${path}/sessions/${holderPid}/end`, body)
  expect([end.status, end.body]).toEqual([200, { isDone: true }])
  expect(await waiting).toMatchObject({ rowCount: 1 })
  expect(await query(endpoint, password, 'select state from orders')).toEqual([{ state: 'sent' }])

  const again = await ask('POST', `${path}/sessions/${holderPid}/end`, body)
  expect([again.status, again.body.code]).toEqual([409, 'conflict'])
  expect(again.body.detail).toContain('has ended already')
  const audit = await ask('GET', '/api/audit?action=database.session.end')
  expect(audit.body.entries[0]).toMatchObject({ outcome: 'success', target: { name: 'shop' } })
  const entry = await ask('GET', `/api/audit/${audit.body.entries[0].id}`)
  expect(entry.body.diff).toMatchObject({ pid: holderPid, reason: 'It holds up the checkout' })
  expect(entry.text).not.toContain('hunter2-canary')
})

test('who waits for whom is kept once a minute while somebody waits, and nothing of a quiet minute', async () => {
  const holder = await connect('payments / worker')
  await holder.query('begin; update orders set state = $$held$$ where id = 1')
  const waiter = await connect('shop / checkout')
  const waiting = waiter.query(`update orders set state = '${'x'.repeat(500)}' where id = 1`)
  const minutes = async () => (await ask('GET', `${path}/lock-minutes`)).body.minutes
  const since = new Date()
  await vi.waitFor(
    async () => {
      const [first] = await minutes()
      expect(first).toMatchObject({ waiting: 1 })
      expect(Date.parse(first.at)).toBeGreaterThan(since.getTime() - 60_000)
    },
    { timeout: 90_000, interval: 200 },
  )
  // Another one waits: the tree with the most who wait takes its place, or is that of the next minute.
  const third = await connect('shop / cart')
  const also = third.query("update orders set state = 'cart' where id = 1")
  await vi.waitFor(async () => expect((await minutes())[0]).toMatchObject({ waiting: 2 }), {
    timeout: 90_000,
    interval: 200,
  })
  const each = (await minutes()).map(({ at }: { at: string }) => at.slice(0, 16))
  expect(new Set(each).size).toBe(each.length)
  const found = (await minutes())[0]
  await holder.query('rollback')
  await Promise.all([waiting, also])
  const { body } = await ask('GET', `${path}/lock-minutes/${encodeURIComponent(found.at)}`)
  expect(body).toMatchObject({ at: found.at, waiting: 2, total: expect.any(Number) })
  expect(body.sessions).toHaveLength(3)
  const [top, below] = body.sessions
  expect(top).toMatchObject({ client: 'payments / worker', blockedBy: [] })
  expect(below).toMatchObject({ client: 'shop / checkout', blockedBy: [top.pid] })
  expect(below.statement).toHaveLength(300)
  expect((await ask('GET', `${path}/lock-minutes/2020-01-01T00:00:00.000Z`)).status).toBe(404)
  await app.database.ownerPool.query("update database_lock_minutes set at = at - interval '25 hours'")
  await app.database.asSystem('delete what has run out', (db) => deleteExpired(db, new Date()))
  expect(await minutes()).toEqual([])
})

test('a session with the number of another one is left alone', async () => {
  const other = await connect('innocent')
  const pid = await pidOf(other)
  const reply = await ask('POST', `${path}/sessions/${pid}/end`, {
    identity: '1',
    reason: 'It was another one',
  })
  expect([reply.status, reply.body.code]).toEqual([409, 'conflict'])
  expect(await pidOf(other)).toBe(pid)
})

test('sessions of Bey itself, the console and the monitor, do not count as connections', async () => {
  await until(id, { figures: { connections: expect.any(Number) } })
  await Promise.all(clients.splice(0).map((client) => client.end()))
  const sleeping = ask('POST', `${path}/query`, { statement: "select pg_sleep(120) -- 'console'" })
  const own = async () =>
    (
      await query(
        endpoint,
        password,
        `select count(*) filter (where application_name = 'bey-monitor')::int as monitors,
           count(*) filter (where application_name like 'bey-sql %' and state = 'active')::int as consoles,
           count(*) filter (where usename not in ('bey_monitor', 'bey_reader') and pid <> pg_backend_pid())::int as clients
         from pg_stat_activity where backend_type = 'client backend' and datname is not null`,
      )
    )[0]
  await read()
  // A session of PostgreSQL ends a moment after its client has gone.
  await vi.waitFor(async () => expect(await own()).toEqual({ monitors: 1, consoles: 1, clients: 0 }), {
    timeout: 60_000,
  })
  const before = (await ask('GET', path)).body.figures.at
  await app.database.ownerPool.query('update databases set check_at = now() where id = $1', [id])
  const measured = await vi.waitFor(
    async () => {
      const { figures } = (await ask('GET', path)).body
      expect(figures.at).not.toBe(before)
      return figures
    },
    { timeout: 60_000, interval: 50 },
  )
  expect(measured).toMatchObject({
    connections: 0,
    active: 0,
    longestQueryMs: null,
    longestLockWaitMs: null,
    frozenAge: expect.any(Number),
  })
  // A client counts beside them.
  const client = await connect('app')
  await app.database.ownerPool.query('update databases set check_at = now() where id = $1', [id])
  await until(id, { figures: { connections: 1 } })
  const names =
    'deadlocks_per_minute,checkpoints_per_minute,temporary_bytes_per_second,wal_bytes_per_second,rows_read_per_second,rows_written_per_second'
  const curves = await ask('GET', `/api/metrics/database?ids=${id}&metrics=${names}&range=3600`)
  expect(curves.body.series.map(({ metric }: { metric: string }) => metric).toSorted()).toEqual(
    names.split(',').toSorted(),
  )
  await client.query('select 1')
  await query(
    endpoint,
    password,
    "select pg_cancel_backend(pid) from pg_stat_activity where query like 'select pg_sleep(120) --%'",
  )
  await sleeping
})

test('a user without pg_monitor is told what is missing, and by which line it is granted', async () => {
  await query(endpoint, password, "create role plain login password 'plain'")
  const made = await ask('POST', '/api/databases', {
    provider: 'external',
    name: 'plain',
    connection: {
      uri: `postgresql://plain:plain@${endpoint.host}:${endpoint.port}/${endpoint.database}?sslmode=disable`,
    },
  })
  await until(made.body.id, { status: 'available' })
  const holder = await connect('hidden')
  await holder.query('begin')
  const reply = await ask('GET', `/api/databases/${made.body.id}/sessions`)
  expect(reply.status, reply.text).toBe(200)
  expect(reply.body.notes[0]).toContain('GRANT pg_monitor')
  expect(JSON.stringify(reply.body.sessions)).not.toContain('hidden')
  // PostgreSQL shows every user the names of all clients, and that they are connected.
  expect(reply.body.clients).toContainEqual({ client: 'hidden', connections: 1 })
})
