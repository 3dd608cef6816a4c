import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { afterReads } from './after-reads.ts'
import { queryClient } from './query-client.ts'
import { useSession } from './session.ts'

/** A busy page is not kept waiting longer than this. */
const idleTimeoutMs = 2_000

let hasSettled = false

/**
 * True once the first page is on screen with its data and the browser is idle: what nobody needs before then (tooltips,
 * toasts, menus, shortcuts, the live socket) is loaded from that moment on.
 */
export function useSettled(): boolean {
  const hasArrived = useRouterState({ select: (state) => state.resolvedLocation !== undefined })
  const isShown = useSession().phase !== 'loading' && hasArrived
  const [isSettled, setSettled] = useState(hasSettled)
  useEffect(() => {
    if (isSettled || !isShown) return
    const settle = () => {
      hasSettled = true
      setSettled(true)
    }
    let waiting = afterReads(queryClient, () => {
      waiting = whenIdle(settle)
    })
    return () => waiting()
  }, [isShown, isSettled])
  return isSettled
}

function whenIdle(run: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(run, 200)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(run, { timeout: idleTimeoutMs })
  return () => cancelIdleCallback(idle)
}
