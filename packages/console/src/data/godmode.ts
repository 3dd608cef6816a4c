import type { CallOutput } from '@bey/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'

/** What the server says about impersonation for development; undefined while it has not. */
export function useGodmode(isConnected: boolean): CallOutput<'auth.godmodeStatus'> | undefined {
  const status = useQuery({
    queryKey: ['godmode'],
    queryFn: () => api.call('auth.godmodeStatus', {}),
    enabled: isConnected,
    retry: false,
  })
  return status.data
}
