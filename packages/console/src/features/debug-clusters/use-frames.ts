import type { Cluster } from '@bey/contract'
import { useEffect, useRef, useState } from 'react'
import { liveSocket } from '../../data/live-socket.ts'
import { isAboutCluster } from './is-about-cluster.ts'

const maxFrames = 100

export interface SeenFrame {
  id: number
  at: Date
  type: string
  text: string
}

/** Messages about a cluster since the page was opened, oldest first; the newest 100. */
export function useFrames(cluster: Cluster): { frames: readonly SeenFrame[]; clear: () => void } {
  const [frames, setFrames] = useState<readonly SeenFrame[]>([])
  const shown = useRef(cluster)
  const count = useRef(0)
  useEffect(() => {
    // The run of a cluster changes while one watches; what is listened to does not.
    shown.current = cluster
  }, [cluster])
  useEffect(
    () =>
      liveSocket.on('*', (frame) => {
        if (!isAboutCluster(frame, shown.current)) return
        count.current += 1
        const { type } = frame
        const data: unknown = Reflect.get(frame, 'data')
        const seen = { id: count.current, at: new Date(), type, text: JSON.stringify(data) }
        setFrames((before) => [...before, seen].slice(-maxFrames))
      }),
    [],
  )
  return { frames, clear: () => setFrames([]) }
}
