import { createLiveSocket, liveTexts } from '@bey/client'
import type { LiveState } from '@bey/client'
import { isEventFrame } from '@bey/contract'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { LiveProvider } from '../data/live.ts'
import type { LiveConnection } from '../data/live.ts'
import { queryClient } from '../data/query-client.ts'
import { session, useOrganizationId, useUser } from '../data/session.ts'
import { storage } from '../lib/storage.ts'
import { createEventBatch } from './event-batch.ts'
import { reducers } from './reducers.ts'

/** The one live socket of the page. */
export const liveSocket = createLiveSocket({
  url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`,
  log: (level, message, detail) => {
    // oxlint-disable-next-line no-console -- what the socket reports is for whoever opens the browser's console
    if (level === 'warning' || level === 'error') console.warn(message, detail ?? '')
  },
})

const batch = createEventBatch(queryClient, reducers)

liveSocket.on('*', (frame) => {
  if (isEventFrame(frame)) batch.add(frame)
})

// REST gives the state: whatever may have been missed is read again, while the old stays on screen.
liveSocket.onRefetch(() => {
  batch.flush()
  void queryClient.invalidateQueries()
})

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') liveSocket.pageBecameVisible()
})
window.addEventListener('pagehide', () => liveSocket.pageUnloads())
// A page restored from the browser's back-forward cache has lost its socket.
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted) liveSocket.reconnect()
})

const words: Record<LiveState['connection_status'], LiveConnection['state']> = {
  connected: 'live',
  connecting: 'reconnecting',
  reconnecting: 'reconnecting',
  disconnected: 'offline',
}

/** Keeps the socket connected for the user and organization shown, and tells screens how it stands. */
export function LiveUpdates({ children }: { children: ReactNode }) {
  const userId = useUser()?.id
  const organizationId = useOrganizationId()
  const connectedAs = useRef<number>(undefined)
  const status = useSyncExternalStore(subscribe, () => liveSocket.state.connection_status)

  useEffect(() => {
    const token = storage.read('token')
    if (userId === undefined || organizationId === 0 || token === null) return
    if (connectedAs.current === userId) liveSocket.switchOrganization(organizationId)
    else liveSocket.connect({ token, organizationId })
    connectedAs.current = userId
  }, [userId, organizationId])

  useEffect(() => {
    const stopListening = liveSocket.onState((state) => {
      // The token was refused: only the API can say whether the session has really ended.
      if (state.connection_status === 'disconnected' && state.last_error === liveTexts.authenticationFailed) {
        void session.refresh()
      }
    })
    return () => {
      stopListening()
      connectedAs.current = undefined
      batch.drop()
      liveSocket.forget()
    }
  }, [])

  const connection = useMemo<LiveConnection>(
    () => ({ state: words[status], follow: (subscription) => liveSocket.subscribe(subscription) }),
    [status],
  )
  return <LiveProvider value={connection}>{children}</LiveProvider>
}

function subscribe(listener: () => void) {
  return liveSocket.onState(listener)
}
