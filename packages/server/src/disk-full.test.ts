import { expect, test, vi } from 'vitest'
import { isFull } from './platform/disk-full.ts'
import { testApp } from './testing/app.ts'

const app = await testApp()
const { ask, given, database } = app
const health = async () => {
  const { status, body } = await ask('GET', '/health')
  return [status, body]
}

test('while nothing can be saved the server is not healthy and says why, and is again once there is room', async () => {
  const user = await given.user()
  const create = () => ask('POST', '/api/organizations', { token: user.token, body: { name: 'Second' } })
  expect(await health()).toEqual([200, { status: 'ok', database: 'up' }])
  // What PostgreSQL says when its disk is full, to every change.
  await database.ownerPool.query(`
    create function refuse_room() returns trigger language plpgsql as $$
    begin raise 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger refuse_room before insert on organizations for each row execute function refuse_room();
    create trigger refuse_room before insert on server_keys for each row execute function refuse_room()`)
  const refused = await create()
  expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
  expect(refused.body.detail).toContain('free disk space')
  expect(await health()).toEqual([
    503,
    {
      status: 'unavailable',
      database: 'full',
      reason: expect.stringContaining('disk of this server is full'),
    },
  ])
  // Reading goes on.
  expect((await ask('GET', '/api/auth/me', { token: user.token })).status).toBe(200)

  await database.ownerPool.query(
    'drop trigger refuse_room on organizations; drop trigger refuse_room on server_keys',
  )
  await vi.waitFor(async () => expect((await health())[0]).toBe(200), 60_000)
  expect((await create()).status).toBe(201)
  const { rows } = await database.ownerPool.query(`select 1 from server_keys where name = 'write-probe'`)
  expect(rows).toEqual([])
})

test.each([
  ['a file', Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }), true],
  ['a share of the disk', new Error('x', { cause: Object.assign(new Error('x'), { code: 'EDQUOT' }) }), true],
  ['a table', Object.assign(new Error('x'), { code: '53100' }), true],
  ['a program', new Error('initdb: error: No space left on device'), true],
  ['memory', Object.assign(new Error('x'), { code: '53200' }), false],
])('that there is no room for %s is known', (_what, error, expected) => {
  expect(isFull(error)).toBe(expected)
})
