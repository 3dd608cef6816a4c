import { useMutation } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
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
      return endedSessions
    },
  })
}
