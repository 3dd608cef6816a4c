import type { LiveState, LoggedMessage } from '@bey/client'
import { useSyncExternalStore } from 'react'
import { useIsOnline } from '../lib/network.ts'
import type { ConnectionWord } from './live.ts'
import { connectionWord, liveSocket } from './live-socket.ts'

/** The state of the live socket. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(liveSocket.onState, () => liveSocket.state)
}

/** The word for the state of the connection. */
export function useConnectionWord(): ConnectionWord {
  return connectionWord(useLiveState(), useIsOnline())
}

/** The newest 100 messages sent and received, oldest first; a burst of them is one update. */
export function useLiveMessages(): readonly LoggedMessage[] {
  return useSyncExternalStore(onTrafficByFrame, () => liveSocket.messages)
}

function onTrafficByFrame(listener: () => void): () => void {
  let frame: number | undefined
  const stop = liveSocket.onTraffic(() => {
    frame ??= requestAnimationFrame(() => {
      frame = undefined
      listener()
    })
  })
  return () => {
    stop()
    if (frame !== undefined) cancelAnimationFrame(frame)
  }
}
