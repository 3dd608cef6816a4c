import { createLiveSocket, liveTexts } from '@bey/client'
import type { LiveState } from '@bey/client'
import type { LivePosition } from '@bey/contract'
import { isEventFrame } from '@bey/contract'
import { refetch } from './api-query.ts'
import { queryClient } from './query-client.ts'
import type { ConnectionWord } from './live.ts'
import { isReadAt, setHeardPosition } from './positions.ts'
import { session } from './session.ts'
import { logger } from '../lib/logger.ts'
import { createEventBatch } from './event-batch.ts'
import { reducers } from './reducers.ts'

/** The one live socket of the page. */
export const liveSocket = createLiveSocket({
  url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`,
  log: logger.write,
})

const batch = createEventBatch(queryClient, reducers)

/** Leaves the socket, and forgets events that were not shown yet. */
export function forgetLive(): void {
  batch.drop()
  hasBeenLive = false
  liveSocket.forget()
}

const ownEndings: readonly (string | null)[] = [
  null,
  liveTexts.connectionTimeout,
  liveTexts.connectionClosed,
  liveTexts.pingTimeout,
]

let hasBeenLive = false
liveSocket.onState(({ connection_status: status }) => {
  if (status === 'connected') hasBeenLive = true
})

/** The word for the state of the connection: one that never opened is still connecting. */
export function connectionWord({ connection_status: status }: LiveState, isOnline: boolean): ConnectionWord {
  if (status === 'connected') return 'live'
  if (status === 'disconnected' || !isOnline) return 'disconnected'
  return hasBeenLive ? 'reconnecting' : 'connecting'
}

/** Whether the server refused the token or the organization, as opposed to an ending of our own or of the network. */
export function isRefused({ connection_status: status, last_error: error }: LiveState): boolean {
  return status === 'disconnected' && !ownEndings.includes(error)
}

/** Until when what is shown was true, in milliseconds since 1970: a lost connection is noticed late. */
export function lastHeardAt({ last_error: error, last_activity: activity }: LiveState): number {
  return error === liveTexts.pingTimeout && activity !== null ? Date.parse(activity) : Date.now()
}

let hasConnected = false

liveSocket.on('*', (frame) => {
  if (isEventFrame(frame)) batch.add(frame)
})

// REST gives the state: whatever may have been missed is read again, while the old stays on screen.
liveSocket.onRefetch((_reason, position) => {
  batch.flush()
  if (!hasConnected) {
    hasConnected = true
    refetchOlder(position)
    return
  }
  void session.refresh()
  // The version of this page is that of its scripts, whatever the server is by now.
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'version' })
})

/** The page was read while its first connection came up: only what moved in between is read again. */
function refetchOlder(position: LivePosition | undefined): void {
  const { organization_id: organizationId } = liveSocket.state
  setHeardPosition(position)
  refetch(queryClient, {
    predicate: (query) => query.queryKey[1] === organizationId && !isReadAt(query, position),
  })
}

// A network that comes does not wait for the next attempt; one that goes may have taken the connection along.
for (const change of ['online', 'offline']) {
  window.addEventListener(change, () => liveSocket.pageBecameVisible())
}
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') liveSocket.pageBecameVisible()
})
window.addEventListener('pagehide', () => liveSocket.pageUnloads())
// A page restored from the browser's back-forward cache has lost its socket.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) liveSocket.reconnect()
})
