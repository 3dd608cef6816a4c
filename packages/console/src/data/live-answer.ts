import { useSyncExternalStore } from 'react'
import { isFromServer, watchSends } from '../lib/api.ts'
import { attendance } from '../lib/attendance.ts'
import { holdClock } from '../lib/held-clock.ts'
import { lastHeardAt, liveSocket } from './live-socket.ts'
import { createServerAnswer } from './server-answer.ts'

/** While somebody is at the page, a live connection that is silent for so long is tried. */
const silenceMs = 5_000

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

setInterval(() => {
  const { connection_status: status, last_activity: activity } = liveSocket.state
  if (status !== 'connected' || !isVisible() || !attendance.isAttended()) return
  const silentMs = Date.now() - (activity === null ? 0 : Date.parse(activity))
  // A ping without an answer ends the connection, which is heard above.
  if (silentMs >= silenceMs) void liveSocket.ping().catch(() => undefined)
}, silenceMs)

/** When the server last answered, in milliseconds since 1970, while it does not; else undefined. */
export function useUnansweredSince(): number | undefined {
  return useSyncExternalStore(serverAnswer.subscribe, serverAnswer.since)
}
