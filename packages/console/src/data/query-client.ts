import { QueryClient } from '@tanstack/react-query'
import { isTransient } from '../lib/error-text.ts'

/** The request cache: stale after 30 s, collected after 5 minutes. What the server refused is not asked again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 5 * 60_000,
      retry: (failures, error) => failures < 2 && isTransient(error),
      refetchOnWindowFocus: false,
      // A browser that believes to be offline can still reach a server on its own machine.
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
