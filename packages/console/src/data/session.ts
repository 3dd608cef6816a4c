import { useSyncExternalStore } from 'react'
import type { Organization, Role, User } from '@bey/contract'
import { connectSession, sessionApi as api } from '../lib/api.ts'
import { storage, tabStorage } from '../lib/storage.ts'
import { queryClient } from './query-client.ts'
import { askForConfirmation } from './step-up.ts'
import { createSession, currentOrganization, requestOrganizationId } from './session-store.ts'
import type { SessionState } from './session-store.ts'

export const session = createSession(
  {
    storage,
    tab: tabStorage,
    now: Date.now,
    fetchMe: () => api.call('auth.me', {}),
    login: (body) => api.call('auth.login', { body }),
    signup: (body) => api.call('auth.signup', { body }),
    logout: () => api.call('auth.logout', {}),
    activate: (id) => api.call('organizations.activate', { params: { id } }),
    clearCaches: () => queryClient.clear(),
    readAgain: () => void queryClient.invalidateQueries(),
    startOver: () =>
      void import('../lib/unsaved.ts')
        .then(({ allowLeaving }) => allowLeaving())
        .finally(() => location.replace('/')),
  },
  window,
)

let refusedRefresh: Promise<void> | undefined

connectSession({
  organizationId: () => requestOrganizationId(session.get(), storage),
  onUnauthorized: session.handleUnauthorized,
  waitForLogin: session.waitForLogin,
  confirmIdentity: askForConfirmation,
  onPolicyRefusal: () => {
    // Many calls are refused at once, and the user says why once.
    refusedRefresh ??= session.refresh().finally(() => {
      refusedRefresh = undefined
    })
  },
})

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.get)
}

/** The signed-in user, also while they are asked to log in again; undefined while nobody is. */
export function useUser(): User | undefined {
  const state = useSession()
  return 'user' in state ? state.user : undefined
}

/** The organization in which the user works; undefined for a user who has none. */
export function useCurrentOrganization(): Organization | undefined {
  const user = useUser()
  return user ? currentOrganization(user) : undefined
}

/** The same organization by its id, for requests that are sent before React renders; undefined unless signed in. */
export function signedInOrganizationId(): number | undefined {
  const state = session.get()
  return state.phase === 'signed-in' ? currentOrganization(state.user)?.id : undefined
}

/** The user's role in the current organization; the least of all where there is none. */
export function useRole(): Role {
  return useCurrentOrganization()?.role ?? 'VIEWER'
}

/**
 * Part of every query key: what belongs to one organization is never shown in another.
 * 0 for a user who has none, whom the guard sends to create one before any screen asks.
 */
export function useOrganizationId(): number {
  return useCurrentOrganization()?.id ?? 0
}
