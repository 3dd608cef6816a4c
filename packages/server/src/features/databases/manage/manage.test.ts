import pg from 'pg'
import { expect, test } from 'vitest'

import { testApp } from '../../../testing/app.ts'
import { databaseApi, query } from '../testing/database-api.ts'

const app = await testApp()
const { given } = app
const admin = await given.user({ role: 'ADMIN' })
const { organizationId } = admin
const member = await given.user({ role: 'MEMBER', organizationId })
const api = databaseApi(app, admin)
const { ask } = api
const server = await api.embedded('shop')
const { id, endpoint, password } = server
const path = `/api/databases/${id}`
const asOwner = (text: string) => query(endpoint, password, text)
const as = (username: string, secret: string, text: string) => query({ ...endpoint, username }, secret, text)

/** The same server, as one that somebody else runs. */
async function external(username: string, secret: string, name: string) {
  const { host, port, database } = endpoint
  const uri = `postgresql://${encodeURIComponent(username)}:${secret}@${host}:${port}/${database}?sslmode=disable`
  const made = await ask('POST', '/api/databases', { provider: 'external', name, connection: { uri } })
  await api.until(made.body.id, { status: 'available' })
  return `/api/databases/${made.body.id}`
}

const names = [
  'reports',
  'O"Neil; drop role shop; --',
  `it's "quoted" \\ and $$ ünïcode`,
  "x'); drop table parts; --",
]

await asOwner('create table parts (n int)')
await asOwner('insert into parts values (1)')

test.each(names)('a user named %s reads, then writes, then is removed', async (name) => {
  const made = await ask('POST', `${path}/roles`, { name })
  expect(made.status, made.text).toBe(201)
  expect(made.body.role).toMatchObject({ name, kind: 'user', futureAccess: 'read', refusal: null })
  const secret: string = made.body.password
  expect(await as(name, secret, 'select n from parts')).toEqual([{ n: 1 }])
  await expect(as(name, secret, 'insert into parts values (2)')).rejects.toThrow('permission denied')
  await asOwner('create table later (n int)')
  expect(await as(name, secret, 'select n from later')).toEqual([])

  const granted = await ask('PUT', `${path}/roles/access`, { name, access: 'write' })
  expect(granted.body, granted.text).toMatchObject({ tables: { total: 2, readable: 2, writable: 2 } })
  await as(name, secret, 'insert into parts values (2)')
  await as(name, secret, 'delete from parts where n = 2')
  await ask('PUT', `${path}/roles/access`, { name, access: 'none' })
  await expect(as(name, secret, 'select n from parts')).rejects.toThrow('permission denied')

  const dropped = await ask('POST', `${path}/roles/drop`, { name })
  expect(dropped.status, dropped.text).toBe(200)
  await expect(as(name, secret, 'select 1')).rejects.toThrow('password authentication failed')
  await asOwner('drop table later')
  expect(await asOwner('select n from parts')).toEqual([{ n: 1 }])
})

test('the password of a user is in no statement that the server sees, and in no entry of the audit log', async () => {
  const made = await ask('POST', `${path}/roles`, { name: 'audited', access: 'none' })
  const { body, text } = await ask('GET', `/api/audit?targetType=database&targetId=${id}&limit=50`)
  expect(JSON.stringify(body)).toContain('database.role.create')
  expect(text).not.toContain(made.body.password)
  expect(text).not.toContain('SCRAM-SHA-256$')
})

test('what a user owns goes to the owner of the database when the user is removed', async () => {
  const made = await ask('POST', `${path}/roles`, { name: 'builder', access: 'write' })
  await asOwner('grant create on schema public to builder')
  await as('builder', made.body.password, 'create table built (n int)')
  expect((await ask('POST', `${path}/roles/drop`, { name: 'builder' })).status).toBe(200)
  expect(await asOwner(`select tableowner from pg_tables where tablename = 'built'`)).toEqual([
    { tableowner: 'shop' },
  ])
  await asOwner('drop table built')
})

test('users that Bey or PostgreSQL need are left alone, and taken names are said', async () => {
  const { body } = await ask('GET', `${path}/roles`)
  const kindOf = (name: string) => body.roles.find((role: { name: string }) => role.name === name)?.kind
  expect([kindOf('shop'), kindOf('postgres'), kindOf('pg_monitor')]).toEqual(['owner', 'server', 'server'])
  const refusals = await Promise.all(
    ['shop', 'postgres', 'pg_monitor'].map((name) => ask('POST', `${path}/roles/drop`, { name })),
  )
  expect(refusals.map(({ body: { code } }) => code)).toEqual(['conflict', 'conflict', 'conflict'])
  expect((await ask('POST', `${path}/roles`, { name: 'shop' })).body.code).toBe('name_taken')
  expect((await ask('POST', `${path}/roles`, { name: 'bey_mine' })).body.code).toBe('invalid_request')
  expect((await ask('POST', `${path}/roles/drop`, { name: 'nobody' })).body.code).toBe('not_found')
})

test('members see users, databases and extensions, and change none', async () => {
  const asMember = (method: string, at: string, body?: object) =>
    app.ask(method, `${path}${at}`, { token: member.token, organizationId, ...(body && { body }) })
  const shown = await Promise.all(
    ['/roles', '/server-databases', '/extensions'].map((at) => asMember('GET', at)),
  )
  expect(shown.map(({ status }) => status)).toEqual([200, 200, 200])
  const refused = await Promise.all([
    asMember('POST', '/roles', { name: 'theirs' }),
    asMember('POST', '/server-databases', { name: 'theirs' }),
    asMember('POST', '/extensions', { name: 'citext' }),
  ])
  expect(refused.map(({ body }) => body.code)).toEqual(['forbidden', 'forbidden', 'forbidden'])
  expect(refused[0]?.body.detail).toContain('databases.manage')
})

test.each(names)('a database named %s is made and dropped, unless somebody uses it', async (name) => {
  const at = `${path}/server-databases`
  const made = await ask('POST', at, { name })
  expect(made.status, made.text).toBe(201)
  const { body } = await ask('GET', at)
  expect(body.databases).toContainEqual(expect.objectContaining({ name, owner: 'shop', refusal: null }))
  const { host, port, username: user } = endpoint
  const client = new pg.Client({ host, port, user, password, database: name })
  await client.connect()
  expect((await ask('POST', `${at}/drop`, { name })).body.detail).toContain('1 session is connected')
  await client.end()
  await expect.poll(async () => (await ask('POST', `${at}/drop`, { name })).status).toBe(200)
})

test('the database of the page itself and those of PostgreSQL are not dropped', async () => {
  const at = `${path}/server-databases/drop`
  expect((await ask('POST', at, { name: 'shop' })).body.detail).toContain('Delete it by its own menu')
  expect((await ask('POST', at, { name: 'postgres' })).body.code).toBe('not_found')
  expect((await ask('POST', at, { name: 'template1' })).body.code).toBe('not_found')
})

test('an extension is installed, says what needs it, and is removed with it only when asked', async () => {
  const at = `${path}/extensions`
  expect((await ask('POST', at, { name: 'citext' })).body.message).toMatch(/"citext" 1\.\d is installed/)
  await asOwner('create table people (email public.citext)')
  const { body } = await ask('GET', at)
  const citext = body.extensions.find(({ name }: { name: string }) => name === 'citext')
  expect(citext).toMatchObject({
    installed: citext.version,
    dependents: ['column email of table public.people'],
  })
  const refused = await ask('POST', `${at}/drop`, { name: 'citext' })
  expect(refused.body.detail).toContain('needed by column email of table public.people')
  expect((await ask('POST', `${at}/drop`, { name: 'citext', withDependents: true })).status).toBe(200)
  expect(
    await asOwner(`select column_name from information_schema.columns where table_name = 'people'`),
  ).toEqual([])
})

test('extensions that reach past the server, or that Bey needs, are refused with the reason', async () => {
  const at = `${path}/extensions`
  const said = async (name: string, verb = '') => (await ask('POST', `${at}${verb}`, { name })).body.detail
  expect(await said('file_fdw')).toContain('reads files of the machine of Bey')
  expect(await said('dblink')).toContain('past its limits')
  expect(await said('plpython3u')).toContain('runs programs')
  expect(await said('pg_stat_statements', '/drop')).toContain('Bey counts statements with it')
  expect(await said(`citext" cascade; drop table parts; --`)).toContain('brings no extension')
  expect(await asOwner('select n from parts')).toEqual([{ n: 1 }])
})

test('a server of somebody else is managed by the user of its connection, and says what is missing', async () => {
  const owner = await external('shop', password, 'elsewhere')
  const made = await ask('POST', `${owner}/roles`, { name: 'guest"s', access: 'read' })
  expect(made.status, made.text).toBe(201)
  expect(await as('guest"s', made.body.password, 'select n from parts')).toEqual([{ n: 1 }])
  const poor = await external('guest"s', made.body.password, 'poor')
  const { body } = await ask('GET', `${poor}/roles`)
  expect(body.refusal).toBe('The user "guest"s" of the connection needs CREATEROLE for that.')
  expect((await ask('POST', `${poor}/roles`, { name: 'third' })).body.detail).toContain('needs CREATEROLE')
  expect((await ask('POST', `${poor}/server-databases`, { name: 'third' })).body.detail).toContain('CREATEDB')
  expect((await ask('POST', `${poor}/extensions`, { name: 'citext' })).body.detail).toContain(
    'permission denied',
  )
  await ask('DELETE', poor)
  expect((await ask('POST', `${owner}/roles/drop`, { name: 'guest"s' })).status).toBe(200)
})
