import { useSyncExternalStore } from 'react'
import { isFromServer, watchSends } from '../lib/api.ts'
import { holdClock } from '../lib/held-clock.ts'
import { lastHeardAt, liveSocket } from './live-socket.ts'
import { createServerAnswer } from './server-answer.ts'
import { watchSilence } from './silence-watch.ts'

const isVisible = () => document.visibilityState === 'visible'

/** Whether the server answers this page. */
export const serverAnswer = createServerAnswer({
  now: Date.now,
  isVisible,
  probe: async (signal) => {
    const response = await fetch('/health', { signal, cache: 'no-store' })
    if (!isFromServer(response)) throw new Error('A proxy answered in place of the server')
  },
  checkLive() {
    // A connection that was ended on purpose stays so.
    if (liveSocket.state.connection_status !== 'disconnected') liveSocket.pageBecameVisible()
  },
  onChange: holdClock,
})

watchSends(serverAnswer.callSent)

liveSocket.onState((state) => {
  const { connection_status: status } = state
  if (status === 'connected') serverAnswer.setLive(true, Date.now())
  else if (status !== 'connecting') serverAnswer.setLive(false, lastHeardAt(state))
})

watchSilence({
  now: Date.now,
  isVisible,
  heardAt() {
    const { connection_status: status, last_activity: activity } = liveSocket.state
    if (status !== 'connected') return undefined
    return activity === null ? 0 : Date.parse(activity)
  },
  ping: liveSocket.ping,
  onDoubt: serverAnswer.doubt,
})

/** When the server last answered, in milliseconds since 1970, while it does not; else undefined. */
export function useUnansweredSince(): number | undefined {
  return useSyncExternalStore(serverAnswer.subscribe, serverAnswer.since)
}
