import { ApiError } from '@bey/client'
import type { User } from '@bey/contract'
import { expect, test } from 'vitest'
import { createStorage } from '../lib/storage.ts'
import {
  createSession,
  currentOrganization,
  placeholderOrganization,
  requestOrganizationId,
  unauthorizedEvent,
} from './session-store.ts'
import type { SessionPorts } from './session-store.ts'

const ada: User = {
  id: 7,
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  organizations: [
    { id: 1, name: 'Analytical Engines', role: 'OWNER' },
    { id: 2, name: 'Difference Ltd', role: 'VIEWER' },
  ],
  active_organization_id: 2,
  activeOrganizationId: 2,
  createdAt: '2026-11-21T12:00:00Z',
  updatedAt: '2026-11-21T12:00:00Z',
}
const refusal = (status: number) => new ApiError({ kind: 'problem', status, statusText: 'x' })
const unauthorized = refusal(401)

function given(answers: Partial<SessionPorts> = {}) {
  const storage = createStorage(undefined)
  const tab = createStorage(undefined)
  const clock = { now: 0 }
  const events = new EventTarget()
  const seen = { cleared: 0, unauthorized: 0, readAgain: 0, startedOver: 0 }
  events.addEventListener(unauthorizedEvent, () => (seen.unauthorized += 1))
  const refuse = () => Promise.reject(new Error('not expected'))
  const session = createSession(
    {
      storage,
      tab,
      now: () => clock.now,
      fetchMe: refuse,
      login: refuse,
      signup: refuse,
      logout: refuse,
      activate: refuse,
      clearCaches: () => (seen.cleared += 1),
      readAgain: () => (seen.readAgain += 1),
      startOver: () => (seen.startedOver += 1),
      ...answers,
    },
    events,
  )
  return { storage, tab, clock, session, seen }
}

/** A session in use, and a second tab over the same storage. */
async function givenSignedIn(answers: Partial<SessionPorts> = {}) {
  const all = given({ login: () => Promise.resolve({ token: 'new', user: ada }), ...answers })
  await all.session.login({ email: ada.email, password: 'x' })
  return all
}

test('without a token nobody is signed in, and the server is not asked', async () => {
  const { session } = given()
  await session.start()
  expect(session.get()).toEqual({ phase: 'signed-out', wasEnded: false })
})

test('the cached user shows at once and is then replaced by the server’s', async () => {
  let answer: (user: User) => void = () => undefined
  const { session, storage } = given({ fetchMe: () => new Promise((resolve) => (answer = resolve)) })
  storage.write('token', 't')
  storage.write('user', JSON.stringify(ada))
  const started = session.start()
  expect(session.get()).toMatchObject({ phase: 'signed-in', user: { name: 'Ada Lovelace' } })
  answer({ ...ada, name: 'Ada King' })
  await started
  expect(session.get()).toMatchObject({ user: { name: 'Ada King' } })
})

test('a server that is down does not end the session of a cached user', async () => {
  for (const error of [refusal(503), new TypeError('Failed to fetch')]) {
    const { session, storage } = given({ fetchMe: () => Promise.reject(error) })
    storage.write('token', 't')
    storage.write('user', JSON.stringify(ada))
    await session.start()
    expect(session.get()).toMatchObject({ phase: 'signed-in' })
    expect(storage.read('token')).toBe('t')
  }
})

test('a server that is down without a cached user keeps the token and offers to retry', async () => {
  const { session, storage } = given({ fetchMe: () => Promise.reject(new TypeError('Failed to fetch')) })
  storage.write('token', 't')
  await session.start()
  expect(session.get().phase).toBe('failed')
  expect(storage.read('token')).toBe('t')
})

test('a 401 on refresh removes token and cached user', async () => {
  const { session, storage, seen } = given({ fetchMe: () => Promise.reject(unauthorized) })
  storage.write('token', 'stale')
  storage.write('user', JSON.stringify(ada))
  await session.start()
  expect(session.get()).toEqual({ phase: 'signed-out', wasEnded: true })
  expect(storage.read('token')).toBeNull()
  expect(storage.read('user')).toBeNull()
  expect(seen.cleared).toBe(1)
})

test('a cached user that is not one is ignored', async () => {
  for (const nonsense of ['{', '{"id":"7"}', '[]', '{"id":7,"email":"a","name":"b","organizations":[1]}']) {
    const { session, storage } = given({ fetchMe: () => new Promise(() => undefined) })
    storage.write('token', 't')
    storage.write('user', nonsense)
    void session.start()
    expect(session.get()).toEqual({ phase: 'loading' })
  }
})

test('logging in stores token, user and organization, and forgets what was read before', async () => {
  const { session, storage, seen } = given({ login: () => Promise.resolve({ token: 'new', user: ada }) })
  await session.login({ email: 'ada@example.com', password: 'x' })
  expect(storage.read('token')).toBe('new')
  expect(storage.read('organizationId')).toBe('2')
  expect(JSON.parse(storage.read('selectedOrganization') ?? '')).toEqual(ada.organizations[1])
  expect(session.get()).toMatchObject({ phase: 'signed-in', user: { id: 7 } })
  expect(seen.cleared).toBe(1)
})

test('a refused login changes nothing', async () => {
  const { session, storage } = given({ login: () => Promise.reject(refusal(400)) })
  await session.start()
  await expect(session.login({ email: 'ada@example.com', password: 'x' })).rejects.toMatchObject({
    status: 400,
  })
  expect(storage.read('token')).toBeNull()
  expect(session.get().phase).toBe('signed-out')
})

test('logging out forgets everything even if the server cannot be reached', async () => {
  const { session, storage } = given({
    login: () => Promise.resolve({ token: 'new', user: ada }),
    logout: () => Promise.reject(new TypeError('Failed to fetch')),
  })
  await session.login({ email: 'ada@example.com', password: 'x' })
  await session.logout()
  expect(session.get()).toEqual({ phase: 'signed-out', wasEnded: false })
  for (const key of ['token', 'user', 'organizationId', 'selectedOrganization'] as const) {
    expect(storage.read(key)).toBeNull()
  }
})

test('a 401 anywhere ends the session once and raises unauthorizedAccess once', async () => {
  const { session, storage, seen } = await givenSignedIn()
  session.handleUnauthorized()
  session.handleUnauthorized()
  expect(session.get()).toMatchObject({ phase: 'expired', user: { id: 7 } })
  expect([storage.read('token'), storage.read('user')]).toEqual([null, null])
  expect(seen).toMatchObject({ unauthorized: 1, cleared: 1 })
})

test('switching the organization forgets the other one’s data', async () => {
  const { session, storage, seen } = given({
    login: () => Promise.resolve({ token: 'new', user: ada }),
    activate: (id) => Promise.resolve({ ...ada, active_organization_id: id, activeOrganizationId: id }),
  })
  await session.login({ email: 'ada@example.com', password: 'x' })
  await session.switchOrganization(1)
  expect(storage.read('organizationId')).toBe('1')
  expect(seen.cleared).toBe(2)
})

test('the current organization is the active one, else the first, else none', () => {
  expect(currentOrganization(ada)?.id).toBe(2)
  expect(currentOrganization({ ...ada, active_organization_id: 99, activeOrganizationId: 99 })?.id).toBe(1)
  expect(currentOrganization({ ...ada, organizations: [] })).toBeUndefined()
  expect(placeholderOrganization).toEqual({ name: 'Default Organization', role: 'MEMBER' })
})

test('a request carries the user’s organization, else the stored one', () => {
  const storage = createStorage(undefined)
  expect(requestOrganizationId({ phase: 'signed-in', user: ada }, storage)).toBe(2)
  expect(requestOrganizationId({ phase: 'loading' }, storage)).toBeUndefined()
  storage.write('organizationId', '5')
  expect(requestOrganizationId({ phase: 'loading' }, storage)).toBe(5)
  storage.write('organizationId', 'bogus')
  expect(requestOrganizationId({ phase: 'loading' }, storage)).toBeUndefined()
})

test('a 401 before the server has said who it is leads to the login page: nothing is lost', () => {
  const { session, storage, seen } = given({ fetchMe: () => new Promise(() => undefined) })
  storage.write('token', 't')
  storage.write('user', JSON.stringify(ada))
  void session.start()
  session.handleUnauthorized()
  expect(session.get()).toEqual({ phase: 'signed-out', wasEnded: true })
  expect(seen.unauthorized).toBe(1)
})

test('who logs in again as the same user goes on with cache and organization, and reads again', async () => {
  const { session, storage, seen } = await givenSignedIn({
    activate: (id) => Promise.resolve({ ...ada, active_organization_id: id, activeOrganizationId: id }),
  })
  await session.switchOrganization(1)
  const cleared = seen.cleared
  session.handleUnauthorized()
  const isBack = session.waitForLogin()
  await session.login({ email: ada.email, password: 'x' })
  expect(await isBack).toBe(true)
  expect(session.get()).toMatchObject({ phase: 'signed-in', user: { active_organization_id: 1 } })
  expect(storage.read('token')).toBe('new')
  expect(seen).toMatchObject({ readAgain: 1, cleared, startedOver: 0 })
})

test('who logs in as somebody else gets neither page nor cache of the one before', async () => {
  const answers = [ada, { ...ada, id: 8, email: 'charles@example.com' }]
  const { session, storage, seen } = await givenSignedIn({
    login: () => Promise.resolve({ token: `token ${answers.length}`, user: answers.shift() ?? ada }),
  })
  session.handleUnauthorized()
  await session.login({ email: 'charles@example.com', password: 'x' })
  expect(seen).toMatchObject({ startedOver: 1, cleared: 2, readAgain: 0 })
  expect(session.get()).toMatchObject({ phase: 'expired', user: { id: 7 } })
  expect(JSON.parse(storage.read('user') ?? '')).toMatchObject({ id: 8 })
})

test('logging out instead ends an expired session for good, and what waited for it is informed', async () => {
  const { session } = await givenSignedIn()
  session.handleUnauthorized()
  const isBack = session.waitForLogin()
  expect(await session.logout()).toBe(true)
  expect(await isBack).toBe(false)
  expect(session.get()).toEqual({ phase: 'signed-out', wasEnded: false })
  expect(await session.waitForLogin()).toBe(false)
})

test('logging out says whether the server knows, and does not wait for it', async () => {
  const deaf = await givenSignedIn({ logout: () => Promise.reject(new TypeError('Failed to fetch')) })
  const answer = deaf.session.logout()
  expect(deaf.storage.read('token')).toBeNull()
  expect(await answer).toBe(false)
  for (const logout of [() => Promise.resolve(null), () => Promise.reject(unauthorized)]) {
    const { session } = await givenSignedIn({ logout })
    expect(await session.logout()).toBe(true)
  }
})

test('an answer about the user that comes after the log-out changes nothing', async () => {
  let answer: (user: User) => void = () => undefined
  const { session, storage } = await givenSignedIn({
    fetchMe: () => new Promise((resolve) => (answer = resolve)),
    logout: () => Promise.resolve(null),
  })
  const refreshed = session.refresh()
  await session.logout()
  answer(ada)
  await refreshed
  expect(session.get().phase).toBe('signed-out')
  expect(storage.read('user')).toBeNull()
})

test('the user is read again when what is known is older than 60 s, and not before', async () => {
  let asked = 0
  const { session, clock } = await givenSignedIn({
    fetchMe: () => {
      asked += 1
      return Promise.resolve(ada)
    },
  })
  clock.now = 59_999
  session.refreshIfOld()
  expect(asked).toBe(0)
  clock.now = 60_000
  session.refreshIfOld()
  expect(asked).toBe(1)
})

test('a session that expired in another tab asks in this one', async () => {
  const { session, storage } = await givenSignedIn()
  storage.remove('user')
  storage.remove('token')
  session.syncFromStorage()
  expect(session.get()).toMatchObject({ phase: 'expired', user: { id: 7 } })
})

test('a log-out in another tab is one here, also of a session that has expired', async () => {
  for (const hasExpired of [false, true]) {
    const { session, storage, seen } = await givenSignedIn()
    if (hasExpired) session.handleUnauthorized()
    for (const key of ['organizationId', 'selectedOrganization', 'user', 'token'] as const)
      storage.remove(key)
    session.syncFromStorage()
    expect(session.get()).toEqual({ phase: 'signed-out', wasEnded: false })
    expect(seen.cleared).toBe(2)
  }
})

test('logging in again in another tab lets this one go on, and as somebody else starts it over', async () => {
  const { session, storage, seen } = await givenSignedIn()
  session.handleUnauthorized()
  storage.write('user', JSON.stringify(ada))
  storage.write('token', 'of the other tab')
  session.syncFromStorage()
  session.syncFromStorage()
  expect(session.get()).toMatchObject({ phase: 'signed-in', user: { id: 7 } })
  expect(seen).toMatchObject({ readAgain: 1, startedOver: 0 })
  storage.write('user', JSON.stringify({ ...ada, id: 8 }))
  storage.write('token', 'of somebody else')
  session.syncFromStorage()
  expect(seen).toMatchObject({ readAgain: 1, startedOver: 1 })
})

test('a tab at the login page follows another one in', async () => {
  const { session, storage } = given({ fetchMe: () => Promise.resolve(ada) })
  await session.start()
  storage.write('user', JSON.stringify(ada))
  storage.write('token', 'of the other tab')
  session.syncFromStorage()
  expect(session.get()).toMatchObject({ phase: 'signed-in', user: { id: 7 } })
})

test('a tab stays in its organization when another one switches, also over a reload', async () => {
  const inOne = { ...ada, active_organization_id: 1, activeOrganizationId: 1 }
  const { session, storage, tab } = await givenSignedIn({ fetchMe: () => Promise.resolve(inOne) })
  await session.refresh()
  expect(session.get()).toMatchObject({ user: { active_organization_id: 2 } })
  expect(storage.read('organizationId')).toBe('1')
  await session.start()
  expect(session.get()).toMatchObject({ user: { active_organization_id: 2 } })
  tab.remove('organizationId')
  await session.start()
  expect(session.get()).toMatchObject({ user: { active_organization_id: 1 } })
})

test('a login that asks for a second factor begins no session; what completes it does', async () => {
  const secondFactor = { ticket: 't', methods: ['totp' as const], expiresAt: '2026-11-21T12:10:00Z' }
  const { session, storage } = given({ login: () => Promise.resolve({ secondFactor }) })
  await session.start()
  expect(await session.login({ email: ada.email, password: 'x' })).toEqual({ secondFactor })
  expect([session.get().phase, storage.read('token')]).toEqual(['signed-out', null])
  await session.enter(Promise.resolve({ token: 'new', user: ada }))
  expect([session.get().phase, storage.read('token')]).toEqual(['signed-in', 'new'])
})
