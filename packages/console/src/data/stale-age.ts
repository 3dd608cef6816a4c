import { useSyncExternalStore } from 'react'
import { useLive } from './live.ts'
import { queryClient } from './query-client.ts'

/**
 * Since when what is on screen does not follow the server, in milliseconds since 1970: when it last did, or when the
 * oldest of it was read, whichever is later. Undefined while there is nothing.
 */
export function useStaleSince(): number | undefined {
  const { lastLiveAt = 0 } = useLive()
  const oldestReadAt = useSyncExternalStore(subscribe, oldestRead)
  return Math.max(lastLiveAt, oldestReadAt) || undefined
}

const cache = queryClient.getQueryCache()
const subscribe = (listener: () => void) => cache.subscribe(listener)

function oldestRead(): number {
  const times = cache
    .findAll({ type: 'active', predicate: ({ queryKey: [path] }) => String(path).startsWith('/') })
    .map(({ state }) => state.dataUpdatedAt)
    .filter((at) => at > 0)
  return times.length === 0 ? 0 : Math.min(...times)
}
