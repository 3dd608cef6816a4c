import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { testApp } from '../../testing/app.ts'

const app = await testApp()
const { ask, given } = app
const create = (token: string, key: string, body: object = { name: 'Second' }) =>
  ask('POST', '/api/organizations', { token, body, headers: { 'idempotency-key': key } })
const organizationsOf = async (userId: number) =>
  (await app.database.ownerPool.query('select 1 from memberships where user_id = $1', [userId])).rows.length

test('the same request with the same key is carried out once and answered alike', async () => {
  const user = await given.user()
  const first = await create(user.token, 'k')
  const second = await create(user.token, 'k')
  expect(first.status).toBe(201)
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  expect([second.status, second.body]).toEqual([201, first.body])
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect(await organizationsOf(user.id)).toBe(2)
})

test('without a key each request is carried out', async () => {
  const user = await given.user()
  await ask('POST', '/api/organizations', { token: user.token, body: { name: 'Second' } })
  await ask('POST', '/api/organizations', { token: user.token, body: { name: 'Second' } })
  expect(await organizationsOf(user.id)).toBe(3)
})

test('many at once with one key make one, and the others hear that it is in flight or what it answered', async () => {
  const user = await given.user()
  const replies = await Promise.all(Array.from({ length: 8 }, () => create(user.token, 'k')))
  expect(await organizationsOf(user.id)).toBe(2)
  for (const reply of replies) {
    expect([201, 409]).toContain(reply.status)
    if (reply.status === 409) expect(reply.body.code).toBe('idempotency_in_flight')
  }
})

test('where its reply cannot be kept nothing is carried out, and the key can be tried again', async () => {
  const user = await given.user()
  await app.database.ownerPool.query(
    `create function refuse_key() returns trigger language plpgsql as $$ begin raise 'no room' using errcode = '53100'; end $$;
     create trigger refuse_key before update on idempotency_keys
     for each row when (new.key = 'unkept') execute function refuse_key()`,
  )
  expect((await create(user.token, 'unkept')).status).toBe(503)
  expect(await organizationsOf(user.id)).toBe(1)
  await app.database.ownerPool.query('drop trigger refuse_key on idempotency_keys')
  expect((await create(user.token, 'unkept')).status).toBe(201)
  expect(await organizationsOf(user.id)).toBe(2)
})

test('a key whose request failed with the database is free for the next request, without a wait', async () => {
  const user = await given.user()
  const { ownerPool } = app.database
  await ownerPool.query(
    `create function refuse_crashed() returns trigger language plpgsql as $$ begin raise 'away' using errcode = '57P01'; end $$;
     create trigger refuse_crashed before update or delete on idempotency_keys
     for each row when (old.key = 'crashed') execute function refuse_crashed()`,
  )
  expect((await create(user.token, 'crashed')).status).toBeGreaterThanOrEqual(500)
  const { rows } = await ownerPool.query(`select status_code from idempotency_keys where key = 'crashed'`)
  expect(rows).toEqual([{ status_code: null }])
  await ownerPool.query('drop trigger refuse_crashed on idempotency_keys')
  expect((await create(user.token, 'crashed')).status).toBe(201)
  expect(await organizationsOf(user.id)).toBe(2)
})

test('a secret that is shown once is answered to a repeated request, and the database never shows it', async () => {
  const user = await given.user()
  const body = {
    name: 'deploys-from-outside',
    isPersonal: true,
    permissions: ['clusters.read'],
    resources: [],
  }
  const make = (key: string) =>
    ask('POST', '/api/api-keys', { token: user.token, body, headers: { 'idempotency-key': key } })
  const first = await make('client-key-1')
  expect(first.status, first.text).toBe(201)
  const again = await make('client-key-1')
  expect([again.status, again.body]).toEqual([201, first.body])
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const { rows } = await app.database.ownerPool.query(
    'select key, response from idempotency_keys where user_id = $1',
    [user.id],
  )
  expect(rows).toHaveLength(1)
  const dump = JSON.stringify(rows)
  for (const text of [first.body.token, first.body.key.name, 'client-key-1']) expect(dump).not.toContain(text)
})

test('a request that was taken for dead and is not makes no second change', async () => {
  const user = await given.user()
  const { ownerPool } = app.database
  const keyId = async () =>
    (await ownerPool.query<{ id: string }>('select id from idempotency_keys where user_id = $1', [user.id]))
      .rows[0]?.id
  // The first waits for the user's row, long enough to be taken for dead.
  const holder = await ownerPool.connect()
  await holder.query('begin')
  await holder.query('select 1 from users where id = $1 for no key update', [user.id])
  const slow = create(user.token, 'slow')
  await vi.waitFor(async () => expect(await keyId()).toBeDefined(), 60_000)
  const first = await keyId()
  await ownerPool.query(
    `update idempotency_keys set created_at = now() - interval '180 seconds' where user_id = $1`,
    [user.id],
  )
  const next = create(user.token, 'slow')
  await vi.waitFor(async () => expect(await keyId()).not.toBe(first), 60_000)
  await holder.query('commit')
  holder.release()
  expect([(await slow).body.code, (await next).status]).toEqual(['idempotency_in_flight', 201])
  expect(await organizationsOf(user.id)).toBe(2)
})

test('the key with another body is refused', async () => {
  const user = await given.user()
  await create(user.token, 'k')
  const reply = await create(user.token, 'k', { name: 'Third' })
  expect([reply.status, reply.body.code]).toEqual([422, 'idempotency_mismatch'])
  expect(await organizationsOf(user.id)).toBe(2)
})

test('a key is one user’s own, and another endpoint’s or organization’s is another key', async () => {
  const [ada, bob] = [await given.user(), await given.user()]
  await create(ada.token, 'k')
  const other = await create(bob.token, 'k')
  expect([other.status, other.headers.get('idempotency-replayed')]).toEqual([201, null])
  const path = '/api/kubernetes/clusters/2000000000/provision'
  const elsewhere = await ask('POST', path, { token: ada.token, headers: { 'idempotency-key': 'k' } })
  expect(elsewhere.body.code).toBe('not_found')
})

test('what failed can be tried again with the same key', async () => {
  const user = await given.user()
  await app.database.ownerPool.query(
    `with made as (insert into organizations (name) select 'o' from generate_series(1, 99) returning id)
     insert into memberships (organization_id, user_id, role) select id, $1, 'OWNER' from made`,
    [user.id],
  )
  expect((await create(user.token, 'k')).status).toBe(422)
  await app.database.ownerPool.query(
    'delete from memberships where user_id = $1 and organization_id = (select max(organization_id) from memberships where user_id = $1)',
    [user.id],
  )
  expect((await create(user.token, 'k')).status).toBe(201)
})

test('after 24 hours the key is new again', async () => {
  const user = await given.user()
  await create(user.token, 'k')
  await app.database.ownerPool.query(
    `update idempotency_keys set created_at = now() - interval '25 hours' where user_id = $1`,
    [user.id],
  )
  const reply = await create(user.token, 'k')
  expect([reply.status, reply.headers.get('idempotency-replayed')]).toEqual([201, null])
})

test('a key left in flight by a process that died is free after two minutes, not before', async () => {
  const user = await given.user()
  await create(user.token, 'k')
  const died = (ago: string) =>
    app.database.ownerPool.query(
      'update idempotency_keys set status_code = null, response = null, created_at = now() - $2::interval where user_id = $1',
      [user.id, ago],
    )
  await died('60 seconds')
  expect((await create(user.token, 'k')).body.code).toBe('idempotency_in_flight')
  await died('180 seconds')
  expect((await create(user.token, 'k')).status).toBe(201)
})

test.each([
  ['is empty', ' '],
  ['has spaces', 'a b'],
  ['is too long', 'x'.repeat(256)],
])('a key that %s is refused', async (_what, key) => {
  const user = await given.user()
  const reply = await create(user.token, key)
  expect(reply.body).toMatchObject({ code: 'invalid_request', errors: [{ path: 'Idempotency-Key' }] })
})

test('what is stored of a body tells nobody whether a guess of it is right', async () => {
  const user = await given.user()
  await create(user.token, 'keyed')
  const { rows } = await app.database.ownerPool.query<{ hash: Buffer }>(
    `select request_hash as hash from idempotency_keys where user_id = $1 and key = 'keyed'`,
    [user.id],
  )
  const guesses = [
    { name: 'Second' },
    { body: { name: 'Second' } },
    { params: {}, query: {}, body: { name: 'Second' } },
  ]
  for (const guess of guesses) {
    expect(rows[0]?.hash).not.toEqual(createHash('sha256').update(JSON.stringify(guess)).digest())
  }
})
