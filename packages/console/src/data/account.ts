import type { PasskeyAttestation } from '@bey/contract'
import { useMutation } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiPath } from './api-query.ts'
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

const readSecurityAgain = () =>
  queryClient.invalidateQueries({ queryKey: [apiPath('account.security'), undefined] })
const readSessionsAgain = () =>
  queryClient.invalidateQueries({ queryKey: [apiPath('account.sessions'), undefined] })

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

export function useEndOtherSessions() {
  return useMutation({
    mutationFn: async () => (await api.call('account.endOtherSessions', {})).endedSessions,
    onSettled: readSessionsAgain,
  })
}
