import { expect, test } from 'vitest'
import { createDataKeys } from '../../platform/crypto/data-keys.ts'
import { fingerprintOf } from '../../platform/crypto/root-key.ts'
import { testApp } from '../../testing/app.ts'
import { fakeClock } from '../../testing/clock.ts'
import type { GivenUser } from '../../testing/given.ts'
import { createRotation } from './rotation.ts'

const secretKey = Buffer.alloc(32, 7)
const app = await testApp({ secretKey })
const { given, ask, database } = app
const dataKeys = createDataKeys({ key: secretKey, fingerprint: fingerprintOf(secretKey) })
const dayMs = 86_400_000

const as = ({ token, organizationId }: GivenUser) => ({ token, organizationId })
const call = (user: GivenUser, method: string, path: string, body?: object) =>
  ask(method, `/api/secrets${path}`, { ...as(user), ...(body && { body }) })
const rotate = (user: GivenUser, id: string, body: object = {}) =>
  call(user, 'POST', `/${id}/rotate`, { reason: 'Leaked', ...body })
const reveal = (user: GivenUser, id: string, version?: number) =>
  call(user, 'POST', `/${id}/reveal`, { reason: 'A test looks', ...(version && { version }) })
async function stored(user: GivenUser, values: object = {}): Promise<string> {
  const reply = await call(user, 'POST', '', {
    name: `s-${Math.random()}`,
    type: 'password',
    value: 'old',
    ...values,
  })
  expect(reply.status, reply.text).toBe(201)
  return reply.body.id
}
const generator = { length: 40, hasUppercase: false, hasDigits: true, hasSymbols: false }

test('a rotation stores a random value that the reply does not hold, and keeps the one before', async () => {
  const user = await given.user({ role: 'OWNER' })
  const id = await stored(user)
  const reply = await rotate(user, id, { generator })
  expect(reply.body).toMatchObject({ currentVersion: 2, rotation: null })
  const { value } = (await reveal(user, id)).body
  expect(value).toMatch(/^[a-z2-9]{40}$/)
  expect(reply.text).not.toContain(value)
  expect((await reveal(user, id, 1)).body.value).toBe('old')
  const { versions } = (await call(user, 'GET', `/${id}/versions`)).body
  expect(versions).toMatchObject([{ status: 'current', reason: 'Leaked' }, { status: 'superseded' }])
})

test('while one is under way another is refused', async () => {
  const user = await given.user({ role: 'OWNER' })
  const id = await stored(user)
  const client = await database.ownerPool.connect()
  await client.query('begin')
  await client.query('select 1 from secrets where id = $1 for no key update', [id])
  const refused = await rotate(user, id)
  await client.query('rollback')
  client.release()
  expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
  expect((await rotate(user, id)).status).toBe(200)
})

test.each([
  ['a type of several fields', { type: 'registry', value: { server: 's', username: 'u', password: 'p' } }],
  ['a single kept version', { maxVersions: 1 }],
])('%s is not rotated, by hand or on schedule', async (_name, values) => {
  const user = await given.user({ role: 'OWNER' })
  const id = await stored(user, values)
  expect((await rotate(user, id)).status).toBe(409)
  expect((await call(user, 'PUT', `/${id}`, { rotation: { everyDays: 1, generator } })).status).toBe(409)
})

test('on schedule each secret is rotated once, whichever server does it, until the schedule ends', async () => {
  const user = await given.user({ role: 'OWNER' })
  const id = await stored(user)
  const set = await call(user, 'PUT', `/${id}`, { rotation: { everyDays: 30, generator } })
  expect(set.body.rotation).toEqual({ everyDays: 30, generator })
  const clock = fakeClock(new Date())
  const servers = [1, 2].map(() => createRotation({ database, dataKeys, clock }))
  const work = () => Promise.all(servers.map((server) => server.rotateAllDue()))
  const current = async () => (await call(user, 'GET', `/${id}`)).body.currentVersion
  await work()
  expect(await current()).toBe(1)
  clock.step(30 * dayMs + 60_000)
  await work()
  await work()
  expect(await current()).toBe(2)
  const trail = await database.ownerPool.query(
    `select actor_type from audit_entries where target_id = $1 and action = 'secret.rotate'`,
    [id],
  )
  expect(trail.rows).toEqual([{ actor_type: 'system' }])
  expect((await call(user, 'PUT', `/${id}`, { rotation: null })).body.nextRotationAt).toBe(null)
  clock.step(60 * dayMs)
  await work()
  expect(await current()).toBe(2)
})
