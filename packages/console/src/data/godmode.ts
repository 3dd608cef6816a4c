import type { CallOutput, GodmodeUser } from '@bey/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { readJson, storage } from '../lib/storage.ts'
import { session } from './session.ts'

/** What the server says about impersonation for development; undefined while it has not. */
export function useGodmode(isConnected: boolean): CallOutput<'auth.godmodeStatus'> | undefined {
  const status = useQuery({
    queryKey: ['godmode'],
    queryFn: () => api.call('auth.godmodeStatus', {}),
    enabled: isConnected,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return status.data
}

/** Whom a tester can log in as. */
export function useGodmodeUsers(search: string) {
  return useQuery({
    queryKey: ['godmode-users', search],
    queryFn: () => api.call('godmode.users', { query: { limit: 50, ...(search && { search }) } }),
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** Begins a session as another user and keeps the own one to return to. The page must then be loaded anew. */
export async function impersonate(user: GodmodeUser): Promise<void> {
  const own = storage.read('token')
  const before = session.get()
  const entered = await api.call('godmode.impersonate', { body: { userId: user.id } })
  if (before.phase === 'signed-in' && own !== null && !before.user.impersonator)
    storage.write('impersonatorToken', own)
  storage.write('lastImpersonatedUser', JSON.stringify(user))
  forgetOrganization()
  storage.write('token', entered.token)
  storage.write('user', JSON.stringify(entered.user))
}

/** Ends the impersonated session and returns to the own one, if there was any. The page must then be loaded anew. */
export async function endImpersonation(): Promise<void> {
  // A session that cannot be ended here runs out by itself; the tester wants out of it all the same.
  await api.call('auth.logout', {}).catch(() => undefined)
  const own = storage.read('impersonatorToken')
  for (const key of ['token', 'user', 'impersonatorToken'] as const) storage.remove(key)
  forgetOrganization()
  if (own !== null) storage.write('token', own)
}

/** Whom this browser impersonated last. */
export function lastImpersonated(): GodmodeUser | undefined {
  const value = readJson(storage, 'lastImpersonatedUser')
  return isGodmodeUser(value) ? value : undefined
}

function forgetOrganization() {
  storage.remove('organizationId')
  storage.remove('selectedOrganization')
}

// Written by an earlier visit, perhaps of an earlier version.
function isGodmodeUser(value: unknown): value is GodmodeUser {
  if (typeof value !== 'object' || value === null) return false
  const has = (key: string, type: string) => typeof Reflect.get(value, key) === type
  const role: unknown = Reflect.get(value, 'role')
  const isRole = role === null || typeof role === 'string'
  return (
    has('id', 'number') &&
    has('name', 'string') &&
    has('email', 'string') &&
    has('organizationName', 'string') &&
    isRole
  )
}
