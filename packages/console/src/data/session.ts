import { useSyncExternalStore } from 'react'
import type { Organization, Role, User } from '@bey/contract'
import { api, connectSession } from '../lib/api.ts'
import { storage } from '../lib/storage.ts'
import { queryClient } from './query-client.ts'
import { createSession, currentOrganization, requestOrganizationId } from './session-store.ts'
import type { SessionState } from './session-store.ts'

export const session = createSession(
  {
    storage,
    fetchMe: () => api.call('auth.me', {}),
    login: (body) => api.call('auth.login', { body }),
    signup: (body) => api.call('auth.signup', { body }),
    logout: () => api.call('auth.logout', {}),
    activate: (id) => api.call('organizations.activate', { params: { id } }),
    clearCaches: () => queryClient.clear(),
  },
  window,
)

connectSession({
  organizationId: () => requestOrganizationId(session.get(), storage),
  onUnauthorized: session.handleUnauthorized,
})

export function useSession(): SessionState {
  return useSyncExternalStore(session.subscribe, session.get)
}

/** The signed-in user; undefined while nobody is. */
export function useUser(): User | undefined {
  const state = useSession()
  return state.phase === 'signed-in' ? state.user : undefined
}

/** The organization in which the user works; undefined for a user who has none. */
export function useCurrentOrganization(): Organization | undefined {
  const user = useUser()
  return user ? currentOrganization(user) : undefined
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
