import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import type { GivenUser } from '../../../testing/given.ts'

const app = await testApp()
const { given } = app
const admin = await given.user({ role: 'ADMIN', name: 'Grace' })
const { organizationId } = admin
const member = await given.user({ role: 'MEMBER', organizationId, name: 'Ada' })

const ask = ({ token }: GivenUser, method: string, path: string, body?: object) =>
  app.ask(method, path, { token, organizationId, ...(body && { body }) })

const made = await ask(admin, 'POST', '/api/databases', { provider: 'embedded', name: 'shop' })
const path = `/api/databases/${made.body.id}`
await vi.waitFor(async () => expect((await ask(admin, 'GET', path)).body.status).toBe('available'), {
  timeout: 60_000,
  interval: 50,
})
const query = (statement: string, user = member) => ask(user, 'POST', `${path}/query`, { statement })
const execute = (statement: string, user = admin) => ask(user, 'POST', `${path}/execute`, { statement })

test('a member reads as a role that cannot write; an admin changes as the owner', async () => {
  expect((await execute('create table orders (id int primary key, secret text)')).body.error).toBeNull()
  expect((await execute("insert into orders values (1, 'a'), (2, null)")).body).toMatchObject({
    command: 'INSERT',
    affectedRows: 2,
  })
  const read = await query('select * from orders order by id')
  expect(read.status, read.text).toBe(200)
  expect(read.body.rows).toEqual([
    ['1', 'a'],
    ['2', null],
  ])
  const who = await query(
    'select current_user, rolsuper, rolcreaterole, pg_has_role(current_user, $$shop$$, $$member$$) from pg_roles where rolname = current_user',
  )
  expect(who.body.rows).toEqual([['bey_reader', 'f', 'f', 'f']])
  expect((await query('delete from orders')).body.error).toMatchObject({ code: '25006' })
  expect((await query("copy (select 1) to program 'touch /tmp/x'")).body.error).not.toBeNull()
  expect((await query("select pg_read_file('/etc/passwd')")).body.error).toMatchObject({ code: '42501' })
  const { body } = await ask(member, 'GET', `${path}/relations`)
  expect(body.relations).toMatchObject([{ schema: 'public', name: 'orders', kind: 'table' }])
  expect((await ask(member, 'POST', `${path}/explain`, { statement: 'select 1' })).body.nodes).toHaveLength(1)
})

test('who may only see databases reads no data of them, and a member changes none', async () => {
  const viewer = await given.user({ role: 'VIEWER', organizationId })
  expect((await query('select 1', viewer)).status).toBe(403)
  expect((await execute('select 1', member)).status).toBe(403)
  const stranger = await given.user({ role: 'OWNER' })
  const elsewhere = await app.ask('POST', `${path}/query`, {
    token: stranger.token,
    organizationId: stranger.organizationId,
    body: { statement: 'select 1' },
  })
  expect(elsewhere.status).toBe(404)
})

test('each statement is in the audit log, without the passwords that it sets', async () => {
  await execute("create role helper login password 'hunter2-canary'")
  const { body: list } = await ask(admin, 'GET', '/api/audit?action=database.execute&limit=1')
  expect(list.entries).toMatchObject([
    { actor: { name: 'Grace' }, outcome: 'success', target: { type: 'database', name: 'shop' } },
  ])
  const { body, text } = await ask(admin, 'GET', `/api/audit/${list.entries[0].id}`)
  expect(body.diff.statement).toBe("create role helper login password '***'")
  expect(text).not.toContain('hunter2-canary')
})

test.each(['query', 'execute'])(
  'values of parameters are bound, and kept neither in the audit log nor in the history: %s',
  async (verb) => {
    const value = `hunter3-canary'; drop table orders; --`
    const statement = 'select :given::text as given, count(*) from orders'
    const asked = await ask(admin, 'POST', `${path}/${verb}`, {
      statement,
      parameters: [{ name: 'given', value }],
    })
    expect([asked.body.error, asked.body.rows]).toEqual([null, [[value, '2']]])
    const history = await ask(admin, 'GET', `${path}/sql-history?limit=1`)
    expect(history.body.entries[0].statement).toBe(statement)
    const { body: list } = await ask(admin, 'GET', `/api/audit?action=database.${verb}&limit=1`)
    const entry = await ask(admin, 'GET', `/api/audit/${list.entries[0].id}`)
    expect(entry.body.diff.statement).toBe(statement)
    expect(history.text + entry.text).not.toContain('hunter3-canary')
  },
)

test('a missing value, one too many and a parameter in a DO block are refused in a sentence, and nothing runs', async () => {
  const refused = async (statement: string, parameters: object[]) => {
    const { status, body } = await ask(admin, 'POST', `${path}/execute`, { statement, parameters })
    expect(status).toBe(400)
    return String(body.detail)
  }
  expect(await refused('delete from orders where id = :id', [])).toBe(
    'Enter a value for :id, or choose NULL.',
  )
  expect(await refused('delete from orders', [{ name: 'id', value: '1' }])).toBe(
    'The statement has no parameter :id.',
  )
  const block = 'do $$ begin delete from orders where id = :id; end $$'
  expect(await refused(block, [{ name: 'id', value: '1' }])).toContain('A DO block takes no parameters')
  await refused('select :a', [{ name: 'a; drop table orders', value: '1' }])
  expect((await query('select count(*) from orders')).body.rows).toEqual([['2']])
})

test.each(['query', 'execute'])('a statement under way is cancelled in its server: %s', async (verb) => {
  const queryId = randomUUID()
  const statement = 'select pg_sleep(120)'
  const answer = ask(admin, 'POST', `${path}/${verb}`, { statement, queryId })
  await vi.waitFor(
    async () => {
      const { body } = await ask(admin, 'POST', `${path}/queries/${queryId}/cancel`)
      expect(body).toEqual({ isCancelled: true })
    },
    { timeout: 60_000, interval: 50 },
  )
  expect((await answer).body.error).toMatchObject({ code: '57014' })
  const { rows } = (
    await query(
      "select count(*) from pg_stat_activity where query ~ 'pg_sleep\\(120' and pid <> pg_backend_pid() and state = 'active'",
    )
  ).body
  expect(rows).toEqual([['0']])
  expect((await ask(admin, 'POST', `${path}/queries/${queryId}/cancel`)).body).toEqual({ isCancelled: false })
})

test('the reader follows a password that was rotated', async () => {
  const { body } = await ask(admin, 'GET', path)
  const changed = await ask(admin, 'POST', `/api/secrets/${body.credential.id}/rotate`, { reason: 'Test' })
  expect(changed.status, changed.text).toBe(200)
  await vi.waitFor(async () => expect((await execute('select 1')).body.rows).toEqual([['1']]), {
    timeout: 90_000,
    interval: 500,
  })
  expect((await query('select 2')).body.rows).toEqual([['2']])
})

test('wrong requests are refused with the field, and a database that sleeps says so', async () => {
  for (const body of [
    {},
    { statement: ' ' },
    { statement: 'select 1', maxRows: 0 },
    { statement: 'select 1', x: 1 },
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    expect((await ask(member, 'POST', `${path}/query`, body)).status).toBe(400)
  }
  await ask(admin, 'POST', `${path}/hibernate`)
  await vi.waitFor(async () => expect((await ask(admin, 'GET', path)).body.status).toBe('hibernated'), {
    timeout: 60_000,
    interval: 50,
  })
  const asleep = await query('select 1')
  expect([asleep.status, asleep.body.code]).toEqual([409, 'conflict'])
  expect(asleep.body.detail).toContain('Resume it first')
})
