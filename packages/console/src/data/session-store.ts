import type { CallInput, Organization, SignInReply, User } from '@bey/contract'
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
  /** The server answered 401 to a page in use: page and user stay, and a dialog asks to log in. */
  | { phase: 'expired'; user: User }

/** What the session needs of the outside world. */
export interface SessionPorts {
  /** Shared by all tabs. */
  storage: TextStorage
  /** This tab's own: its organization outlives a reload, and what another tab switches to. */
  tab: TextStorage
  now: () => number
  fetchMe: () => Promise<User>
  login: (body: CallInput<'auth.login'>['body']) => Promise<SignInReply>
  signup: (body: CallInput<'auth.signup'>['body']) => Promise<{ token: string; user: User }>
  /** Takes the stored token at once: it is forgotten here before the server has answered. */
  logout: () => Promise<unknown>
  activate: (organizationId: number) => Promise<User>
  /** Forgets everything read on behalf of a user or organization. */
  clearCaches: () => void
  /** Reads again what is on screen, which stays meanwhile. */
  readAgain: () => void
  /** Discards the page and opens the first page of the user who is signed in now. */
  startOver: () => void
}

export interface Session {
  get: () => SessionState
  subscribe: (listener: () => void) => () => void
  /** Loads the user: the cached copy first, then the server's. */
  start: () => Promise<void>
  login: SessionPorts['login']
  /** Takes what another way to sign in, or an invitation, was answered: begins the session, unless a second factor is still missing. */
  enter: <R extends SignInReply>(reply: Promise<R>) => Promise<R>
  signup: SessionPorts['signup']
  /** Ends the session here at once. Resolves with whether the server ended it, too. */
  logout: () => Promise<boolean>
  switchOrganization: (organizationId: number) => Promise<void>
  /** Reads the user again, for instance after an organization was created. */
  refresh: () => Promise<void>
  /** Reads the user again if that was done more than 60 s ago. */
  refreshIfOld: () => void
  /** For every reply of 401: ends the session and raises `unauthorizedAccess`. */
  handleUnauthorized: () => void
  /** Applies what another tab did to the stored session. Safe to call at any time. */
  syncFromStorage: () => void
  /** Waits while the session is expired. Resolves with true after the user has logged in again, and with false after a sign-out or when no session has expired. */
  waitForLogin: () => Promise<boolean>
}

export const unauthorizedEvent = 'unauthorizedAccess'

const userMaxAgeMs = 60_000

export function createSession(ports: SessionPorts, events: EventTarget): Session {
  const { storage, tab } = ports
  let state: SessionState = { phase: 'loading' }
  // The token of this tab. If the stored token differs, another tab has changed it.
  let knownToken: string | null = null
  // Until the server has answered about the user, the page holds nothing that would be worth keeping.
  let hasOpened = false
  let readAt = Number.NEGATIVE_INFINITY
  const listeners = new Set<() => void>()

  const set = (next: SessionState) => {
    state = next
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const store = (user: User) => {
    storage.write('user', JSON.stringify(user))
    const organization = currentOrganization(user)
    if (!organization) return
    storage.write('organizationId', String(organization.id))
    storage.write('selectedOrganization', JSON.stringify(organization))
  }
  const show = (user: User) => {
    const shown = inOrganization(user, Number(tab.read('organizationId')))
    const organization = currentOrganization(shown)
    if (organization) tab.write('organizationId', String(organization.id))
    set({ phase: 'signed-in', user: shown })
  }
  const clear = (wasEnded: boolean) => {
    // The token last: another tab sees its removal and finds the rest gone, which distinguishes a log-out from an
    // expiry.
    for (const key of ['organizationId', 'selectedOrganization', 'user', 'token'] as const)
      storage.remove(key)
    tab.remove('organizationId')
    knownToken = null
    ports.clearCaches()
    set({ phase: 'signed-out', wasEnded })
  }
  const end = () => {
    if (state.phase !== 'signed-in') return
    if (!hasOpened) return clear(true)
    storage.remove('user')
    storage.remove('token')
    knownToken = null
    set({ phase: 'expired', user: state.user })
  }
  const enter = async <R extends SignInReply>(answer: Promise<R>): Promise<R> => {
    const reply = await answer
    if (!('token' in reply)) return reply
    const { token, user } = reply
    const before = state.phase === 'expired' ? state.user : undefined
    if (before?.id !== user.id) {
      ports.clearCaches()
      tab.remove('organizationId')
    }
    store(user)
    storage.write('token', token)
    knownToken = token
    hasOpened = true
    readAt = ports.now()
    if (before && before.id !== user.id) ports.startOver()
    else show(user)
    if (before?.id === user.id) ports.readAgain()
    return reply
  }
  const refresh = async () => {
    const token = storage.read('token')
    const isTokenCurrent = () => token !== null && storage.read('token') === token
    try {
      const user = await ports.fetchMe()
      // Logged out, or logged in as another user, during the request.
      if (!isTokenCurrent()) return
      readAt = ports.now()
      store(user)
      show(user)
    } catch (error) {
      if (isUnauthorized(error)) {
        if (isTokenCurrent()) handleUnauthorized()
      }
      // Only a 401 says something about the session. After any other error the cached user stays, or Retry is offered.
      else if (state.phase === 'loading' || state.phase === 'failed') set({ phase: 'failed', error })
    } finally {
      hasOpened = true
    }
  }
  const start = async () => {
    hasOpened = false
    knownToken = storage.read('token')
    if (knownToken === null) {
      tab.remove('organizationId')
      return set({ phase: 'signed-out', wasEnded: false })
    }
    const cached = cachedUser(storage)
    const shown = cached && inOrganization(cached, Number(tab.read('organizationId')))
    set(shown ? { phase: 'signed-in', user: shown } : { phase: 'loading' })
    await refresh()
  }
  const handleUnauthorized = () => {
    if (state.phase === 'signed-out' || state.phase === 'expired') return
    if (state.phase === 'signed-in') end()
    else clear(true)
    events.dispatchEvent(new Event(unauthorizedEvent))
  }

  return {
    get: () => state,
    subscribe,
    start,
    login: (body) => enter(ports.login(body)),
    enter,
    signup: (body) => enter(ports.signup(body)),
    logout: async () => {
      const isServerInformed =
        storage.read('token') === null ? true : ports.logout().then(() => true, isUnauthorized)
      clear(false)
      return isServerInformed
    },
    switchOrganization: async (organizationId) => {
      const user = await ports.activate(organizationId)
      ports.clearCaches()
      readAt = ports.now()
      tab.write('organizationId', String(organizationId))
      store(user)
      show(user)
    },
    refresh,
    refreshIfOld: () => {
      if (state.phase === 'signed-in' && ports.now() - readAt >= userMaxAgeMs) void refresh()
    },
    handleUnauthorized,
    syncFromStorage: () => {
      const token = storage.read('token')
      if (token === knownToken && token !== null) return
      const user = state.phase === 'signed-in' || state.phase === 'expired' ? state.user : undefined
      if (token === null) {
        if (!user) return
        // A session that expired keeps its organization; a log-out keeps nothing.
        if (storage.read('organizationId') === null) clear(false)
        else end()
        return
      }
      if (!user) return void start()
      const stored = cachedUser(storage)
      if (stored?.id !== user.id) return ports.startOver()
      knownToken = token
      show(stored)
      ports.readAgain()
    },
    waitForLogin: () =>
      new Promise((resolve) => {
        if (state.phase !== 'expired') return resolve(false)
        const stop = subscribe(() => {
          if (state.phase === 'expired') return
          stop()
          resolve(state.phase === 'signed-in')
        })
      }),
  }
}

/** The organization that matches the active id, else the first. */
export function currentOrganization(user: User): Organization | undefined {
  const activeId = user.active_organization_id ?? user.activeOrganizationId
  return user.organizations.find((organization) => organization.id === activeId) ?? user.organizations[0]
}

// A tab stays in its organization, whichever another tab has made the active one.
function inOrganization(user: User, id: number): User {
  if (!user.organizations.some((organization) => organization.id === id)) return user
  return { ...user, active_organization_id: id, activeOrganizationId: id }
}

/** Shown where a user has no organization; it grants nothing. */
export const placeholderOrganization = { name: 'Default Organization', role: 'MEMBER' } as const

/** The organization of a request: the cached user's, with the stored id as fallback. */
export function requestOrganizationId(state: SessionState, storage: TextStorage): number | undefined {
  const own = 'user' in state ? currentOrganization(state.user)?.id : undefined
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
