import { createClient } from '@bey/client'
import type { ApiKey, CallInput, CallOutput } from '@bey/contract'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey as queryKeyOf, apiPath, apiQuery, refetchBelow } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { useOrganizationId } from './session.ts'

export type ApiKeyListQuery = NonNullable<CallInput<'apiKeys.list'>['query']>
export type NewApiKey = NonNullable<CallInput<'apiKeys.create'>['body']>
export type ApiKeyChange = NonNullable<CallInput<'apiKeys.update'>['body']>
/** A key with its secret, which is answered once. */
export type ApiKeyWithToken = CallOutput<'apiKeys.create'>

const keysPath = apiPath('apiKeys.list')

export function useApiKeys(query: ApiKeyListQuery) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'apiKeys.list', { query }),
    placeholderData: keepPreviousData,
  })
}

export function useApiKey(id: string) {
  return useQuery(apiQuery(useOrganizationId(), 'apiKeys.get', { params: { id } }))
}

export function useCreateApiKey() {
  const refetch = useRefetchKeys()
  return useMutation({
    mutationFn: (body: NewApiKey) => api.call('apiKeys.create', { body }),
    onSuccess: refetch,
    // The result holds the secret.
    gcTime: 0,
  })
}

export function useRotateApiKey(id: string) {
  const refetch = useRefetchKeys()
  return useMutation({
    mutationFn: (overlapHours: number) =>
      api.call('apiKeys.rotate', { params: { id }, body: { overlapHours } }),
    onSuccess: refetch,
    gcTime: 0,
  })
}

export function useUpdateApiKey(id: string) {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return useMutation({
    mutationFn: (body: ApiKeyChange) => api.call('apiKeys.update', { params: { id }, body }),
    onSuccess: (key: ApiKey) => {
      cache.setQueryData(queryKeyOf(organizationId, 'apiKeys.get', { params: { id } }), key)
      refetchBelow(cache, organizationId, keysPath)
    },
  })
}

export function useRevokeApiKey() {
  const refetch = useRefetchKeys()
  return useMutation({
    mutationFn: (id: string) => api.call('apiKeys.revoke', { params: { id } }),
    onSuccess: refetch,
  })
}

/** Asks the server what it thinks of a secret, without using it. */
export function useTestApiKey() {
  return useMutation({
    mutationFn: (token: string) => api.call('apiKeys.test', { body: { token } }),
    gcTime: 0,
  })
}

/** Sends one request with a secret itself, as a program would. */
export function useTryToken() {
  return useMutation({
    mutationFn: (token: string) =>
      createClient({
        fetch: (input, init) => fetch(input, init),
        getToken: () => token,
        getOrganizationId: () => undefined,
        // That a key does not work says nothing about the session.
        onUnauthorized: () => undefined,
      }).call('credential.get', {}),
    gcTime: 0,
  })
}

function useRefetchKeys() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return () => refetchBelow(cache, organizationId, keysPath)
}

export const apiKeyReducers: Pick<LiveReducers, 'API_KEYS_UPDATE'> = {
  API_KEYS_UPDATE: (cache, { organizationId }) => refetchBelow(cache, organizationId, keysPath),
}
