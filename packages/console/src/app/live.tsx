import type { LiveState } from '@bey/client'
import type { Subscription } from '@bey/contract'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { LiveProvider } from '../data/live.ts'
import type { LiveConnection } from '../data/live.ts'
import { session, useOrganizationId, useSession, useUser } from '../data/session.ts'
import { useIsOnline } from '../lib/network.ts'
import { retryImport } from '../lib/retry-import.ts'
import { storage } from '../lib/storage.ts'
import { useSettled } from '../data/use-settled.ts'

type LiveModule = Awaited<ReturnType<typeof importLive>>

const importLive = () => import('../data/live-socket.ts')
const loaded = Promise.withResolvers<LiveModule>()
let isLoading = false

/** Asked for once the first page is shown: REST data do not need it. */
function loadLive(): Promise<LiveModule> {
  if (!isLoading) void retryImport(importLive).then(loaded.resolve, loaded.reject)
  isLoading = true
  return loaded.promise
}

/** What a page follows from its first moment is followed as soon as the socket is there. */
function follow(subscription: Subscription): () => void {
  let release: (() => void) | undefined
  let isReleased = false
  void loaded.promise.then(({ liveSocket }) => {
    if (!isReleased) release = liveSocket.subscribe(subscription)
  })
  return () => {
    isReleased = true
    release?.()
  }
}

/** Keeps the socket connected for the user and organization shown, and provides its status to screens. */
export function LiveUpdates({ children }: { children: ReactNode }) {
  const live = useLiveModule()
  const userId = useUser()?.id
  const organizationId = useOrganizationId()
  const { state, lastLiveAt } = useStatus(live)
  const token = useSession().phase === 'signed-in' ? storage.read('token') : null
  const connectedAs = useRef<{ token: string; organizationId: number }>(undefined)

  useEffect(() => {
    if (!live || userId === undefined) return
    const before = connectedAs.current
    // A session that ended, or another one in its place: nothing of the old one is delivered any more.
    if (before && before.token !== token) live.forgetLive()
    connectedAs.current = undefined
    if (token === null || organizationId === 0) return
    if (before?.token !== token) live.liveSocket.connect({ token, organizationId })
    else if (before.organizationId !== organizationId) live.liveSocket.switchOrganization(organizationId)
    connectedAs.current = { token, organizationId }
  }, [live, userId, organizationId, token])
  useEffect(
    () => () => {
      connectedAs.current = undefined
      live?.forgetLive()
    },
    [live],
  )

  const connection = useMemo<LiveConnection>(() => ({ state, lastLiveAt, follow }), [state, lastLiveAt])
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

function useStatus(live: LiveModule | undefined): Pick<LiveConnection, 'state' | 'lastLiveAt'> {
  const isOnline = useIsOnline()
  const [socket, setSocket] = useState<LiveState>()
  const [lastLiveAt, setLastLiveAt] = useState<number>()
  useEffect(() => {
    if (!live) return undefined
    let before: LiveState['connection_status'] | undefined
    return live.liveSocket.onState((state) => {
      const { connection_status: status } = state
      if (before === 'connected' && status !== 'connected') setLastLiveAt(live.lastHeardAt(state))
      before = status
      setSocket(state)
      // The token was refused: only the API can say whether the session has really ended.
      if (live.isRefused(state)) void session.refresh()
    })
  }, [live])
  const word =
    live && socket ? live.connectionWord(socket, isOnline) : isOnline ? 'connecting' : 'disconnected'
  return { state: word, lastLiveAt }
}
