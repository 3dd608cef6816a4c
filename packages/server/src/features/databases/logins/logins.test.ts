import { expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi, query } from '../testing/database-api.ts'

const app = await testApp()
const { given } = app
const admin = await given.user({ role: 'ADMIN' })
const { organizationId } = admin
const member = await given.user({ role: 'MEMBER', organizationId })
const api = databaseApi(app, admin)
const { id, endpoint, password: ownerPassword } = await api.embedded('shop')
const path = `/api/databases/${id}/logins`
const ask = (user: { token: string }, method: string, at: string, body?: object) =>
  app.ask(method, at, { token: user.token, organizationId, ...(body && { body }) })
const asOwner = (text: string) => query(endpoint, ownerPassword, text)

async function login(user: { token: string }, body: object) {
  const made = await ask(user, 'POST', path, { reason: 'Looking into it', ...body })
  expect(made.status, made.text).toBe(201)
  const { login: found, password } = made.body
  const asLogin = (text: string) => query({ ...endpoint, username: found.username }, password, text)
  return { ...found, password, asLogin }
}

/** Lets the time of a login be over, and looks. */
async function outlast(loginId: string): Promise<void> {
  await app.database.ownerPool.query(
    `update database_logins set expires_at = now() - interval '1 minute' where id = $1`,
    [loginId],
  )
  await api.lookNow()
}

const statusOf = async (loginId: string) => {
  const { body } = await ask(member, 'GET', path)
  return body.logins.find((each: { id: string }) => each.id === loginId)?.status as string
}

test('a login reads everything and changes nothing, whatever its session sets', async () => {
  await asOwner('create table parts (n int)')
  await asOwner('insert into parts values (1)')
  const { asLogin, username, status } = await login(member, { minutes: 5 })
  expect([username, status]).toEqual([expect.stringMatching(/^bey_login_[0-9a-f]{10}$/), 'active'])
  expect(await asLogin('select n from parts')).toEqual([{ n: 1 }])
  const writes = 'set default_transaction_read_only = off; begin read write;'
  for (const statement of [
    'insert into parts values (2)',
    'create table theirs (n int)',
    'create schema theirs',
    'alter role shop superuser',
    `copy (select 1) to program 'true'`,
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(asLogin(`${writes} ${statement}`), statement).rejects.toThrow(/permission denied|must/i)
  }
})

test('a login that writes is for who may change data, and what it makes belongs to the owner', async () => {
  const refused = await ask(member, 'POST', path, { mode: 'write', reason: 'Mending' })
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
  const { asLogin } = await login(admin, { mode: 'write' })
  await asLogin('create table mended (n int)')
  expect(await asOwner(`select tableowner from pg_tables where tablename = 'mended'`)).toEqual([
    { tableowner: 'shop' },
  ])
  await expect(asLogin('alter role shop superuser')).rejects.toThrow()
})

test('a login ends by itself, with its connections and without what it made', async () => {
  const { id: loginId, asLogin, username } = await login(admin, { mode: 'write' })
  await asLogin('reset role; create table left_behind (n int)')
  const waiting = asLogin('select pg_sleep(120)')
  const ended = expect(waiting).rejects.toThrow(/terminat|Connection/)
  await vi.waitFor(
    async () =>
      expect(await asOwner(`select 1 as n from pg_stat_activity where usename = '${username}'`)).toHaveLength(
        1,
      ),
    60_000,
  )
  await outlast(loginId)
  await ended
  await vi.waitFor(async () => expect(await statusOf(loginId)).toBe('ended'), { timeout: 60_000 })
  await expect(asLogin('select 1')).rejects.toThrow('password authentication failed')
  expect(await asOwner(`select tableowner from pg_tables where tablename = 'left_behind'`)).toEqual([
    { tableowner: 'shop' },
  ])
  expect(await asOwner(`select rolname from pg_roles where rolname = '${username}'`)).toEqual([])
}, 120_000)

test('a login is ended at once by its own person and by who may end sessions, not by others', async () => {
  const mine = await login(member, {})
  const other = await given.user({ role: 'MEMBER', organizationId })
  const end = (user: { token: string }, loginId: string) => ask(user, 'POST', `${path}/${loginId}/end`)
  expect((await end(other, mine.id)).body.code).toBe('forbidden')
  const ended = await end(member, mine.id)
  expect([ended.status, ended.body.status]).toEqual([200, 'ending'])
  expect(await statusOf(mine.id)).toBe('ended')
  await expect(mine.asLogin('select 1')).rejects.toThrow('password authentication failed')
  const second = await login(member, {})
  expect((await end(admin, second.id)).status).toBe(200)
  expect(await statusOf(second.id)).toBe('ended')
  const stranger = await given.user({ role: 'ADMIN' })
  const foreign = await app.ask('POST', `${path}/${second.id}/end`, stranger)
  expect(foreign.status).toBe(404)
})

test('users of that kind that Bey does not know, such as those that a copy brings along, are removed', async () => {
  await asOwner('select 1')
  const { id: loginId, asLogin } = await login(member, {})
  // As in a restored copy: the server has the user, and Bey has no row of it.
  await app.database.ownerPool.query('delete from database_logins where id = $1', [loginId])
  await outlast((await login(member, {})).id)
  await vi.waitFor(async () => await expect(asLogin('select 1')).rejects.toThrow('password'), {
    timeout: 60_000,
    interval: 200,
  })
}, 120_000)

test('the password of a login is in no audit entry and in no list', async () => {
  const { password, username } = await login(member, {})
  const { text } = await ask(admin, 'GET', '/api/audit?limit=50')
  expect(text).not.toContain(password)
  expect((await ask(admin, 'GET', path)).text).not.toContain(password)
  expect(text).toContain('database.login.create')
  expect(username).not.toContain(password)
})

test.each([
  [{ minutes: 4 }, 'minutes'],
  [{ minutes: 481 }, 'minutes'],
  [{ mode: 'owner' }, 'mode'],
  [{ reason: ' ' }, 'reason'],
])('%j is refused', async (body, field) => {
  const reply = await ask(admin, 'POST', path, { reason: 'Test', ...body })
  expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(field)])
})
