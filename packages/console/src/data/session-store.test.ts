import { ApiError } from '@bey/client'
import type { User } from '@bey/contract'
import { expect, test } from 'vitest'
import { createStorage } from '../lib/storage.ts'
import {
  createSession,
  currentOrganization,
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
  const events = new EventTarget()
  const seen = { cleared: 0, unauthorized: 0 }
  events.addEventListener(unauthorizedEvent, () => (seen.unauthorized += 1))
  const refuse = () => Promise.reject(new Error('not expected'))
  const session = createSession(
    {
      storage,
      fetchMe: refuse,
      login: refuse,
      signup: refuse,
      logout: refuse,
      activate: refuse,
      clearCaches: () => (seen.cleared += 1),
      ...answers,
    },
    events,
  )
  return { storage, session, seen }
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

test('logging out forgets everything even if the server cannot be told', async () => {
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
  const { session, seen } = given({ login: () => Promise.resolve({ token: 'new', user: ada }) })
  await session.login({ email: 'ada@example.com', password: 'x' })
  session.handleUnauthorized()
  session.handleUnauthorized()
  expect(session.get()).toEqual({ phase: 'signed-out', wasEnded: true })
  expect(seen.unauthorized).toBe(1)
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
