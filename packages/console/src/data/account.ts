import type { OauthProvider, PasskeyAttestation } from '@bey/contract'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiPath, apiQuery } from './api-query.ts'
import { queryClient } from './query-client.ts'
import { session } from './session.ts'

/** Changes the user's own name. */
export function useRename() {
  return useMutation({
    mutationFn: async (name: string) => {
      await api.call('auth.rename', { body: { name } })
      await session.refresh()
    },
  })
}

/** Changes the user's own password and answers how many other sessions that ended. */
export function useChangePassword() {
  return useMutation({
    mutationFn: async (body: { currentPassword: string; newPassword: string }) => {
      const { endedSessions } = await api.call('auth.changePassword', { body })
      void readSessionsAgain()
      return endedSessions
    },
  })
}

/** What secures the user's account. */
export function useSecurity() {
  return useQuery(apiQuery(undefined, 'account.security', {}))
}

const readSecurityAgain = () =>
  queryClient.invalidateQueries({ queryKey: [apiPath('account.security'), undefined] })
const readSessionsAgain = () =>
  queryClient.invalidateQueries({ queryKey: [apiPath('account.sessions'), undefined] })

/** Makes the secret for an authenticator app. */
export function useBeginTotp() {
  return useMutation({ mutationFn: () => api.call('account.beginTotp', {}) })
}

/** Turns two-factor authentication on; answers the recovery codes, this once. */
export function useConfirmTotp() {
  return useMutation({
    mutationFn: async (code: string) => {
      const { recoveryCodes } = await api.call('account.confirmTotp', { body: { code } })
      return recoveryCodes
    },
    onSuccess: readSecurityAgain,
  })
}

export function useDisableTotp() {
  return useMutation({ mutationFn: () => api.call('account.disableTotp', {}), onSuccess: readSecurityAgain })
}

export function useRenewRecoveryCodes() {
  return useMutation({
    mutationFn: async () => (await api.call('account.renewRecoveryCodes', {})).recoveryCodes,
    onSuccess: readSecurityAgain,
  })
}

export function useAddPasskey() {
  return useMutation({
    mutationFn: (body: { name: string; passkey: PasskeyAttestation }) =>
      api.call('account.addPasskey', { body }),
    // An organization may have waited for it.
    onSuccess: () => Promise.all([readSecurityAgain(), session.refresh()]),
  })
}

export function useRemovePasskey() {
  return useMutation({
    mutationFn: (id: string) => api.call('account.removePasskey', { params: { id } }),
    onSuccess: readSecurityAgain,
  })
}

export function useUnlink() {
  return useMutation({
    mutationFn: (provider: OauthProvider) => api.call('account.unlink', { params: { provider } }),
    onSuccess: readSecurityAgain,
  })
}

/** Where the user is logged in. */
export function useSessions(page: number, limit: number) {
  return useQuery({
    ...apiQuery(undefined, 'account.sessions', { query: { page, limit } }),
    placeholderData: keepPreviousData,
  })
}

export function useEndSession() {
  return useMutation({
    mutationFn: (id: string) => api.call('account.endSession', { params: { id } }),
    onSettled: readSessionsAgain,
  })
}

export function useEndOtherSessions() {
  return useMutation({
    mutationFn: async () => (await api.call('account.endOtherSessions', {})).endedSessions,
    onSettled: readSessionsAgain,
  })
}

/** Keys and kubeconfigs that act for the user without a session. */
export function useTokens(page: number, limit: number) {
  return useQuery({
    ...apiQuery(undefined, 'account.tokens', { query: { page, limit } }),
    placeholderData: keepPreviousData,
  })
}

export function useEndToken() {
  return useMutation({
    mutationFn: (id: string) => api.call('account.endToken', { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [apiPath('account.tokens'), undefined] }),
  })
}
