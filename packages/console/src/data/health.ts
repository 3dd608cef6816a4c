import { useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'

const intervalMs = 10_000
const timeoutMs = 5_000

export type BackendConnection = 'checking' | 'connected' | 'disconnected'

/** Whether the server answers /health, asked every 10 s with a timeout of 5 s. */
export function useBackendConnection(): BackendConnection {
  const health = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) =>
      api.call('status.health', {}, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) }),
    refetchInterval: intervalMs,
    refetchIntervalInBackground: true,
    refetchOnReconnect: true,
    // A browser that believes to be offline can still reach a server on its own machine.
    networkMode: 'always',
    retry: false,
    staleTime: 0,
  })
  if (health.isPending) return 'checking'
  return health.isError ? 'disconnected' : 'connected'
}
