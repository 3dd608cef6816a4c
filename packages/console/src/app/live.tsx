import type { LiveState } from '@bey/client'
import type { Subscription } from '@bey/contract'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { LiveProvider } from '../data/live.ts'
import type { LiveConnection } from '../data/live.ts'
import { session, useOrganizationId, useUser } from '../data/session.ts'
import { storage } from '../lib/storage.ts'
import { useSettled } from './use-settled.ts'

type LiveModule = Awaited<ReturnType<typeof importLive>>

// Loaded once the first page stands: nothing of it is needed to show what REST has answered.
let loaded: Promise<LiveModule> | undefined
const importLive = () => import('./live-socket.ts')
const loadLive = () => (loaded ??= importLive())

const words: Record<LiveState['connection_status'], LiveConnection['state']> = {
  connected: 'live',
  connecting: 'reconnecting',
  reconnecting: 'reconnecting',
  disconnected: 'offline',
}

function follow(subscription: Subscription): () => void {
  let release: (() => void) | undefined
  let isReleased = false
  void loadLive().then(({ liveSocket }) => {
    if (!isReleased) release = liveSocket.subscribe(subscription)
  })
  return () => {
    isReleased = true
    release?.()
  }
}

/** Keeps the socket connected for the user and organization shown, and tells screens how it stands. */
export function LiveUpdates({ children }: { children: ReactNode }) {
  const live = useLiveModule()
  const userId = useUser()?.id
  const organizationId = useOrganizationId()
  const status = useStatus(live)
  const connectedAs = useRef<{ userId: number; organizationId: number }>(undefined)

  useEffect(() => {
    const token = storage.read('token')
    if (!live || userId === undefined || organizationId === 0 || token === null) return
    const before = connectedAs.current
    if (before?.userId !== userId) live.liveSocket.connect({ token, organizationId })
    else if (before.organizationId !== organizationId) live.liveSocket.switchOrganization(organizationId)
    connectedAs.current = { userId, organizationId }
  }, [live, userId, organizationId])
  useEffect(
    () => () => {
      connectedAs.current = undefined
      live?.forgetLive()
    },
    [live],
  )

  const connection = useMemo<LiveConnection>(() => ({ state: words[status], follow }), [status])
  return <LiveProvider value={connection}>{children}</LiveProvider>
}

function useLiveModule(): LiveModule | undefined {
  const isSettled = useSettled()
  const [live, setLive] = useState<LiveModule>()
  useEffect(() => {
    if (isSettled) void loadLive().then(setLive)
  }, [isSettled])
  return live
}

function useStatus(live: LiveModule | undefined): LiveState['connection_status'] {
  const [status, setStatus] = useState<LiveState['connection_status']>('connecting')
  useEffect(
    () =>
      live?.liveSocket.onState((state) => {
        setStatus(state.connection_status)
        // The token was refused: only the API can say whether the session has really ended.
        if (live.isRefused(state)) void session.refresh()
      }),
    [live],
  )
  return status
}
