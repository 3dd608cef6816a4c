import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { rowsRead } from '../../testing/rows-read.ts'
import { listMembers } from './store.ts'

const { ask, given, database } = await testApp()
const owner = await given.user({ name: 'Ada', email: 'ada@example.com' })
const { organizationId } = owner
const viewer = await given.user({ organizationId, role: 'VIEWER', name: 'bob', email: 'bob@example.com' })
const admin = await given.user({ organizationId, role: 'ADMIN', name: 'Cyd', email: 'cyd@else.com' })
const stranger = await given.user({ name: 'Dan' })

type Row = { id: number; name: string; role: string; lastSeenAt: string | null }

async function list(query = '', as = viewer) {
  const { token, organizationId: within } = as
  const reply = await ask('GET', `/api/members?${query}`, { token, organizationId: within })
  return { ...reply, names: (reply.body.members ?? []).map((row: Row) => row.name) }
}

test('every role reads who belongs to the organization, and of no other one', async () => {
  for (const user of [owner, admin, viewer]) {
    const { body, names } = await list('', user)
    expect(names).toEqual(['Ada', 'bob', 'Cyd'])
    expect(body).toMatchObject({ total: 3, page: 1, limit: 50 })
  }
  const { names } = await list('', stranger)
  expect(names).toEqual(['Dan'])
})

test('the server sorts, roles by what they may, and pages', async () => {
  expect((await list('sort=role')).names).toEqual(['Ada', 'Cyd', 'bob'])
  expect((await list('sort=email&order=desc')).names).toEqual(['Cyd', 'bob', 'Ada'])
  expect((await list('limit=1&page=2')).names).toEqual(['bob'])
  expect((await list('sort=passwordHash')).status).toBe(400)
})

test('the server filters by name, address and role', async () => {
  expect((await list('search=B')).names).toEqual(['bob'])
  expect((await list('search=else.com')).names).toEqual(['Cyd'])
  expect((await list('search=%25')).names).toEqual([])
  expect((await list('role=OWNER')).names).toEqual(['Ada'])
})

test('last seen is the newest use of a session of their own, not of an impersonated one', async () => {
  const seenAt = '2026-11-01T10:00:00.000Z'
  await database.asSystem('test', async (db) => {
    await db.execute(
      `update sessions set last_used_at = '${seenAt}' where user_id in (${owner.id}, ${admin.id})`,
    )
    await db.execute(
      `insert into sessions (id, user_id, token_hash, last_used_at, expires_at, impersonator_id, impersonator_name)
       values (gen_random_uuid(), ${admin.id}, '\\x01', '2026-11-02', now() + interval '1 day', ${owner.id}, 'Ada')`,
    )
    await db.execute(`delete from sessions where user_id = ${stranger.id}`)
  })
  const { body } = await list('sort=lastSeenAt&order=desc')
  expect(body.members.map((row: Row) => [row.name, row.lastSeenAt])).toEqual([
    ['bob', expect.any(String)],
    ['Ada', seenAt],
    ['Cyd', seenAt],
  ])
})

test('anyone who left their last session is listed without a time, and last', async () => {
  const gone = await given.user({ organizationId, role: 'MEMBER', name: 'Abe', email: 'abe@example.com' })
  await database.asSystem('test', (db) => db.execute(`delete from sessions where user_id = ${gone.id}`))
  for (const order of ['asc', 'desc']) {
    const { body } = await list(`sort=lastSeenAt&order=${order}`)
    expect(body.members.at(-1)).toMatchObject({ name: 'Abe', lastSeenAt: null })
  }
})

test('the second factor of a member is named, and nothing of it is shown', async () => {
  const factorOf = async (name: string) =>
    (await list(`search=${name}`)).body.members.map((row: { secondFactor: string }) => row.secondFactor)
  expect(await factorOf('Cyd')).toEqual(['none'])
  const totp = (confirmed: string) =>
    database.asSystem('test', (db) =>
      db.execute(
        `insert into user_totp (user_id, secret, confirmed_at) values (${admin.id}, '\\x01', ${confirmed})
         on conflict (user_id) do update set confirmed_at = excluded.confirmed_at`,
      ),
    )
  await totp('null')
  expect(await factorOf('Cyd')).toEqual(['none'])
  await totp('now()')
  expect(await factorOf('Cyd')).toEqual(['code'])
})

test('of 2,000 members a page reads the sessions of its own rows, and a search no membership twice', async () => {
  const crowd = await given.organization()
  await database.ownerPool.query(
    `with person as (
       insert into users (email, name)
       select 'person-' || n || '@crowd.example', 'Person ' || n from generate_series(1, 2000) n returning id
     ), member as (insert into memberships (organization_id, user_id, role) select $1, id, 'VIEWER' from person)
     insert into sessions (id, user_id, token_hash, expires_at)
     select gen_random_uuid(), id, sha256(convert_to('crowd ' || id, 'UTF8')), now() + interval '1 day' from person`,
    [crowd.id],
  )
  await database.ownerPool.query('analyze users, memberships, sessions')
  const page = { page: 1, limit: 50, sort: 'name' as const }
  await database.readTenant(crowd.id, async (db) => {
    const list = (search?: string) => listMembers(db, crowd.id, { ...page, search })
    expect(await rowsRead(db, 'sessions', () => list())).toBeLessThanOrEqual(60)
    // Whom one may see at all is asked of each person once, and memberships are read for those who were found.
    expect(await rowsRead(db, 'memberships', () => list('person 77'))).toBeLessThan(2_500)
    const { rows, total } = await list('person 77')
    expect([rows.length, total]).toEqual([11, 11])
    expect(rows[0]).toMatchObject({ name: 'Person 77', lastSeenAt: expect.any(String) })
  })
})
