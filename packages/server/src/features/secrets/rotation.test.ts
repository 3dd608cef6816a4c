import { expect, test } from 'vitest'
import { createDataKeys } from '../../platform/crypto/data-keys.ts'
import { fingerprintOf } from '../../platform/crypto/root-key.ts'
import { testApp } from '../../testing/app.ts'
import { type FakeClock, fakeClock } from '../../testing/clock.ts'
import type { GivenUser } from '../../testing/given.ts'
import { createLog } from '../../platform/log.ts'
import { publishAll } from '../../platform/live/publish.ts'
import { createNotify } from '../notifications/rules/notify.ts'
import { secretNotices } from '../notifications/secret-notices.ts'
import { createRotationJob, retryDelayMs } from './rotation-job.ts'

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
const log = createLog({ level: 'fatal' })
/** Runs that were asked for, without an engine. */
const started: { workflowId: string; input: object; keyId?: string | null | undefined }[] = []
const jobs = (clock: FakeClock) =>
  createRotationJob({
    startWorkflow: async (_db, { workflowId, input, keyId }) => {
      started.push({ workflowId, input, keyId })
      return { kind: 'started', workflowId, runId: workflowId }
    },
    database,
    dataKeys,
    clock,
    log,
    onNotice: secretNotices(createNotify({ publish: publishAll, clock })),
  })
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
  expect(set.body.rotation).toEqual({ everyDays: 30, generator, overlapHours: null })
  const clock = fakeClock(new Date())
  const servers = [1, 2].map(() => jobs(clock))
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

test('a given value is rotated in as well, also where the server cannot make one', async () => {
  const user = await given.user({ role: 'OWNER' })
  const login = (password: string) => ({ server: 'registry.example.com', username: 'shop', password })
  const id = await stored(user, { type: 'registry', value: login('canary-old') })
  const reply = await rotate(user, id, { value: login('canary-new') })
  expect(reply.status, reply.text).toBe(200)
  expect(reply.text).not.toContain('canary')
  expect((await reveal(user, id)).body).toMatchObject({ version: 2, value: login('canary-new') })
  const invalid = await rotate(user, id, { value: 'one text' })
  expect([invalid.status, invalid.body.errors[0].path]).toEqual([400, 'value'])
})

test('two versions are live until the overlap ends, and the older one is deleted then', async () => {
  const user = await given.user({ role: 'OWNER' })
  const id = await stored(user, { maxVersions: 2 })
  const clock = fakeClock(new Date())
  const versions = async () => (await call(user, 'GET', `/${id}/versions`)).body.versions
  await rotate(user, id, { overlapHours: 24 })
  await rotate(user, id, { overlapHours: 48 })
  expect(await versions()).toMatchObject([
    { version: 3, status: 'current', liveUntil: null },
    { version: 2, status: 'superseded', liveUntil: expect.any(String) },
    // Beyond what is kept, but still live.
    { version: 1, status: 'superseded', liveUntil: expect.any(String) },
  ])
  clock.step(24 * 3_600_000 + 1_000)
  await Promise.all([jobs(clock).endOverlaps(), jobs(clock).endOverlaps()])
  expect(await versions()).toMatchObject([
    { version: 3, status: 'current' },
    { version: 2, status: 'superseded' },
    { version: 1, status: 'soft_deleted', liveUntil: null },
  ])
  expect((await reveal(user, id, 1)).status).toBe(409)
  expect((await reveal(user, id, 2)).status).toBe(200)
})

test('a failing rotation is marked with its cause, reported once, put off, and holds up no other', async () => {
  const user = await given.user({ role: 'OWNER' })
  const failing = await stored(user, { name: 'failing' })
  const other = await stored(user, { name: 'other' })
  for (const id of [failing, other]) {
    await call(user, 'PUT', `/${id}`, { rotation: { everyDays: 1, generator, overlapHours: 12 } })
  }
  const refuse = `create function refuse_version() returns trigger language plpgsql as $$ begin
      if new.secret_id = '${failing}' then raise 'canary-cause'; end if; return new; end $$;
    create trigger a_refuse_version before insert on secret_versions for each row execute function refuse_version()`
  await database.ownerPool.query(refuse)
  const clock = fakeClock(new Date())
  clock.step(dayMs + 60_000)
  const { rotateAllDue } = jobs(clock)
  const state = async (id: string) => (await call(user, 'GET', `/${id}`)).body
  await rotateAllDue()
  await rotateAllDue()
  expect(await state(other)).toMatchObject({ currentVersion: 2, rotationFailure: null })
  const cause = "A fault stopped it; the server's log says which."
  expect(await state(failing)).toMatchObject({ currentVersion: 1, rotationFailure: { attempts: 1, cause } })
  clock.step(retryDelayMs(1) + 1_000)
  await rotateAllDue()
  expect(await state(failing)).toMatchObject({ rotationFailure: { attempts: 2, cause } })
  const { body } = await ask('GET', '/api/notifications', as(user))
  expect(body.notifications).toMatchObject([
    { level: 'error', title: 'Rotation of failing failed', href: `/secrets/${failing}` },
  ])
  await database.ownerPool.query('drop trigger a_refuse_version on secret_versions')
  clock.step(retryDelayMs(2) + 1_000)
  await rotateAllDue()
  expect(await state(failing)).toMatchObject({ currentVersion: 2, rotationFailure: null })
  const trail = await database.ownerPool.query(
    `select outcome from audit_entries where target_id = $1 and action = 'secret.rotate' order by at`,
    [failing],
  )
  expect(trail.rows.map(({ outcome }) => outcome)).toEqual(['failure', 'failure', 'success'])
})

test.each([
  [1, 5],
  [2, 10],
  [5, 80],
  [9, 1_280],
  [10, 1_440],
  [1_000, 1_440],
])('after %s failures a rotation is tried again after %s minutes', (attempts, minutes) => {
  expect(retryDelayMs(attempts)).toBe(minutes * 60_000)
})

test('a schedule starts a workflow instead, once for each time, and stores no value itself', async () => {
  const user = await given.user({ role: 'OWNER' })
  const workflow = await given.workflow({ organizationId: user.organizationId })
  const id = await stored(user, { type: 'opaque', value: 'of a type that the server does not make' })
  const rotation = { everyDays: 1, generator, workflowId: workflow.id }
  const set = await call(user, 'PUT', `/${id}`, { rotation })
  expect(set.status, set.text).toBe(200)
  const clock = fakeClock(new Date(Date.now() + 25 * 3_600_000))
  await jobs(clock).rotateAllDue()
  await jobs(clock).rotateAllDue()
  const mine = started.filter(({ workflowId }) => workflowId === workflow.id)
  const input = { secret_id: id, secret: set.body.name }
  expect(mine).toEqual([{ workflowId: workflow.id, input, keyId: null }])
  expect((await call(user, 'GET', `/${id}`)).body).toMatchObject({ currentVersion: 1, rotation })

  // One that an API key chose does no more than the key may, until a person chooses another schedule.
  const key = await given.apiKey(user)
  const byKey = { ...rotation, everyDays: 2 }
  const chosen = await call({ ...user, token: key.token }, 'PUT', `/${id}`, { rotation: byKey })
  expect(chosen.body, chosen.text).toMatchObject({ rotation: byKey })
  expect(chosen.body.rotation).not.toHaveProperty('keyId')
  expect((await call(user, 'PUT', `/${id}`, { rotation: byKey, description: 'same' })).status).toBe(200)
  await jobs(fakeClock(new Date(Date.now() + 50 * 3_600_000))).rotateAllDue()
  expect(started.at(-1)).toMatchObject({ workflowId: workflow.id, keyId: key.id })
})
