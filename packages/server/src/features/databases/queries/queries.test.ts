import { expect, test } from 'vitest'

import { deleteExpired } from '../../../platform/db/expired.ts'
import { testApp } from '../../../testing/app.ts'
import { databaseApi } from '../testing/database-api.ts'

const app = await testApp()
const { given } = app
const admin = await given.user({ role: 'ADMIN' })
const { organizationId } = admin
const member = await given.user({ role: 'MEMBER', organizationId })
const api = databaseApi(app, admin)
const { id } = await api.embedded('asked')
const path = `/api/databases/${id}`
const as = (user: { token: string }, method: string, at: string, body?: object) =>
  app.ask(method, `${path}${at}`, { token: user.token, organizationId, ...(body && { body }) })
const history = async (user: { token: string }, query = '') =>
  (await as(user, 'GET', `/sql-history${query}`)).body

test('each person has the statements that they executed, the newest first, and finds them again', async () => {
  await as(member, 'POST', '/query', { statement: 'select 1 as one' })
  await as(member, 'POST', '/query', { statement: 'select nope' })
  await as(admin, 'POST', '/execute', { statement: 'create table made (n int)' })
  const { entries } = await history(member)
  expect(entries).toMatchObject([
    { statement: 'select nope', mode: 'read', error: expect.stringContaining('nope') },
    { statement: 'select 1 as one', mode: 'read', error: null, rows: 1 },
  ])
  expect((await history(admin)).entries).toMatchObject([
    { statement: 'create table made (n int)', mode: 'write' },
  ])
  expect((await history(member, '?search=ONE')).entries).toHaveLength(1)
  expect((await history(member, '?search=%25')).entries).toEqual([])
  const first = await history(member, '?limit=1')
  const second = await history(member, `?limit=1&before=${first.nextCursor}`)
  expect([first.entries[0].statement, second.entries[0].statement, second.nextCursor]).toEqual([
    'select nope',
    'select 1 as one',
    null,
  ])
})

test('passwords are not kept in the history, and a statement that sets one is not saved', async () => {
  await as(admin, 'POST', '/execute', { statement: `create role guest password 'gardenia'` })
  const { entries } = await history(admin, '?search=guest')
  expect(entries[0].statement).toBe(`create role guest password '***'`)
  const saved = await as(admin, 'POST', '/saved-queries', {
    name: 'guest',
    statement: `alter role guest password 'gardenia'`,
  })
  expect([saved.status, saved.body.detail]).toEqual([400, expect.stringContaining('sets a password')])
})

test('the history goes after 30 days', async () => {
  await app.database.ownerPool.query(
    `update database_sql_history set at = now() - interval '31 days' where statement = 'select nope'`,
  )
  await app.database.asSystem('delete what has run out', (db) => deleteExpired(db, new Date()))
  expect((await history(member)).entries).toMatchObject([{ statement: 'select 1 as one' }])
})

test('a saved query is seen by its author alone until it is shared, and changed by its author alone', async () => {
  const saved = await as(member, 'POST', '/saved-queries', { name: `it's "mine"`, statement: 'select 1' })
  expect(saved.status, saved.text).toBe(201)
  const at = `/saved-queries/${saved.body.id}`
  const seen = async (user: { token: string }) => (await as(user, 'GET', '/saved-queries')).body.queries
  expect(await seen(admin)).toEqual([])
  expect((await as(admin, 'DELETE', at)).status).toBe(404)
  expect((await as(member, 'PATCH', at, { isShared: true })).body).toMatchObject({
    isShared: true,
    isMine: true,
  })
  expect(await seen(admin)).toMatchObject([{ name: `it's "mine"`, isMine: false }])
  expect((await as(admin, 'PATCH', at, { statement: 'drop table made' })).body.code).toBe('forbidden')
  const other = await given.user({ role: 'MEMBER', organizationId })
  expect((await as(other, 'DELETE', at)).body.code).toBe('forbidden')
  const taken = await as(member, 'POST', '/saved-queries', { name: `IT'S "MINE"`, statement: 'select 2' })
  expect([taken.body.code, taken.body.detail]).toEqual(['name_taken', expect.stringContaining('already')])
  expect((await as(admin, 'DELETE', at)).status).toBe(200)
  expect(await seen(member)).toEqual([])
})
