import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiQuery } from './api-query.ts'

/** Who asks to be logged in with a code, and from where. Not asked while there is no code. */
export function useDeviceLogin(code: string) {
  return useQuery({
    ...apiQuery(undefined, 'deviceLogin.get', { params: { code } }),
    enabled: code !== '',
    retry: false,
    // A code ends; what was known of it earlier is of no use.
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })
}

export function useConfirmDeviceLogin(code: string) {
  return useMutation({
    mutationFn: (reason: string | undefined) =>
      api.call('deviceLogin.confirm', {
        params: { code },
        body: { ...(reason !== undefined && { reason }) },
      }),
  })
}

export function useRefuseDeviceLogin(code: string) {
  return useMutation({ mutationFn: () => api.call('deviceLogin.refuse', { params: { code } }) })
}
