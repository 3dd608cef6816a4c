import { useEffect, useState, useSyncExternalStore } from 'react'
import { liveSocket } from '../../data/live-socket.ts'
import { createRealtimeBuffer } from './realtime-messages.ts'
import type { RealtimeMessage } from './realtime-messages.ts'

export interface RealtimeMessages {
  /** Oldest first, at most 50. */
  messages: readonly RealtimeMessage[]
  clear: () => void
}

/** While it listens, every workflow and the engine are followed and their messages kept. */
export function useRealtimeMessages(isListening: boolean): RealtimeMessages {
  const [buffer] = useState(createRealtimeBuffer)
  const messages = useSyncExternalStore(buffer.subscribe, buffer.list)
  useEffect(() => {
    if (!isListening) return
    const stops = [
      liveSocket.on('*', buffer.add),
      liveSocket.subscribe({ kind: 'workflows' }),
      liveSocket.subscribe({ kind: 'engine_status' }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [isListening, buffer])
  return { messages, clear: buffer.clear }
}
