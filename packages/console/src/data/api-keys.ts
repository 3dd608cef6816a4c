import { createClient } from '@bey/client'
import type { CallInput, CallOutput } from '@bey/contract'
import { useMutation } from '@tanstack/react-query'
import { apiPath, refetchBelow } from './api-query.ts'
import type { LiveReducers } from './live.ts'

export type ApiKeyListQuery = NonNullable<CallInput<'apiKeys.list'>['query']>
export type NewApiKey = NonNullable<CallInput<'apiKeys.create'>['body']>
/** A key with its secret, which is answered once. */
export type ApiKeyWithToken = CallOutput<'apiKeys.create'>

const keysPath = apiPath('apiKeys.list')

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

export const apiKeyReducers: Pick<LiveReducers, 'API_KEYS_UPDATE'> = {
  API_KEYS_UPDATE: (cache, { organizationId }) => refetchBelow(cache, organizationId, keysPath),
}
