import type { CallInput, Organization, User } from '@bey/contract'
import { isUnauthorized } from '../lib/error-text.ts'
import { readJson } from '../lib/storage.ts'
import type { TextStorage } from '../lib/storage.ts'

export type SessionState =
  /** A token is there, its user is on the way. */
  | { phase: 'loading' }
  /** `wasEnded`: the server said 401, as opposed to a log-out or to never having logged in. */
  | { phase: 'signed-out'; wasEnded: boolean }
  /** A token is there, but neither cache nor server could name its user. */
  | { phase: 'failed'; error: unknown }
  | { phase: 'signed-in'; user: User }

/** What the session needs of the outside world. */
export interface SessionPorts {
  storage: TextStorage
  fetchMe: () => Promise<User>
  login: (body: CallInput<'auth.login'>['body']) => Promise<{ token: string; user: User }>
  signup: (body: CallInput<'auth.signup'>['body']) => Promise<{ token: string; user: User }>
  logout: () => Promise<unknown>
  activate: (organizationId: number) => Promise<User>
  /** Forgets everything read on behalf of a user or organization. */
  clearCaches: () => void
}

export interface Session {
  get: () => SessionState
  subscribe: (listener: () => void) => () => void
  /** Loads the user: the cached copy first, then the server's. */
  start: () => Promise<void>
  login: SessionPorts['login']
  signup: SessionPorts['signup']
  logout: () => Promise<void>
  switchOrganization: (organizationId: number) => Promise<void>
  /** Reads the user again, for instance after an organization was created. */
  refresh: () => Promise<void>
  /** For every reply of 401: ends the session and raises `unauthorizedAccess`. */
  handleUnauthorized: () => void
}

export const unauthorizedEvent = 'unauthorizedAccess'

export function createSession(ports: SessionPorts, events: EventTarget): Session {
  const { storage } = ports
  let state: SessionState = { phase: 'loading' }
  const listeners = new Set<() => void>()

  const set = (next: SessionState) => {
    state = next
    for (const listener of listeners) listener()
  }
  const keep = (user: User) => {
    storage.write('user', JSON.stringify(user))
    const organization = currentOrganization(user)
    if (organization) {
      storage.write('organizationId', String(organization.id))
      storage.write('selectedOrganization', JSON.stringify(organization))
    }
    set({ phase: 'signed-in', user })
  }
  const clear = (wasEnded: boolean) => {
    for (const key of ['token', 'user', 'organizationId', 'selectedOrganization'] as const)
      storage.remove(key)
    ports.clearCaches()
    set({ phase: 'signed-out', wasEnded })
  }
  const enter = async (answer: Promise<{ token: string; user: User }>) => {
    const { token, user } = await answer
    ports.clearCaches()
    storage.write('token', token)
    keep(user)
    return { token, user }
  }
  const refresh = async () => {
    try {
      keep(await ports.fetchMe())
    } catch (error) {
      if (isUnauthorized(error)) clear(true)
      // Anything but a 401 says nothing about the session: the cached user stays, or Retry is offered.
      else if (state.phase !== 'signed-in') set({ phase: 'failed', error })
    }
  }

  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: async () => {
      if (storage.read('token') === null) return set({ phase: 'signed-out', wasEnded: false })
      const cached = cachedUser(storage)
      set(cached ? { phase: 'signed-in', user: cached } : { phase: 'loading' })
      await refresh()
    },
    login: (body) => enter(ports.login(body)),
    signup: (body) => enter(ports.signup(body)),
    logout: async () => {
      // The token goes first from the server; if that fails it is forgotten here all the same.
      await ports.logout().catch(() => undefined)
      clear(false)
    },
    switchOrganization: async (organizationId) => {
      const user = await ports.activate(organizationId)
      ports.clearCaches()
      keep(user)
    },
    refresh,
    handleUnauthorized: () => {
      if (state.phase === 'signed-out') return
      clear(true)
      events.dispatchEvent(new Event(unauthorizedEvent))
    },
  }
}

/** The organization that matches the active id, else the first. */
export function currentOrganization(user: User): Organization | undefined {
  const activeId = user.active_organization_id ?? user.activeOrganizationId
  return user.organizations.find((organization) => organization.id === activeId) ?? user.organizations[0]
}

/** Shown where a user has no organization; it grants nothing. */
export const placeholderOrganization = { name: 'Default Organization', role: 'MEMBER' } as const

/** The organization of a request: the cached user's, with the stored id as fallback. */
export function requestOrganizationId(state: SessionState, storage: TextStorage): number | undefined {
  const own = state.phase === 'signed-in' ? currentOrganization(state.user)?.id : undefined
  if (own !== undefined) return own
  const stored = Number(storage.read('organizationId'))
  return Number.isInteger(stored) && stored > 0 ? stored : undefined
}

// Written by an earlier visit, perhaps of an earlier version: only what has the shape of a user is believed.
function cachedUser(storage: TextStorage): User | undefined {
  const value = readJson(storage, 'user')
  return isUser(value) ? value : undefined
}

function isUser(value: unknown): value is User {
  if (typeof value !== 'object' || value === null) return false
  const has = (key: string, type: string) => key in value && typeof Reflect.get(value, key) === type
  return (
    has('id', 'number') &&
    has('email', 'string') &&
    has('name', 'string') &&
    'organizations' in value &&
    Array.isArray(value.organizations) &&
    value.organizations.every((each: unknown) => typeof each === 'object' && each !== null && 'id' in each)
  )
}
