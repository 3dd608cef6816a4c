import type { EventFrame, LiveEventType, Subscription } from '@bey/contract'
import type { QueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect } from 'react'

/** What an event changes in the query cache: a row it carries is written, what it only announces is refetched. */
type LiveReducer<T extends LiveEventType> = (cache: QueryClient, event: EventFrame<T>) => void

/** One reducer for every event: a new event without one does not compile. */
export type LiveReducers = { [T in LiveEventType]: LiveReducer<T> }

/** The state of the connection, as every part of the screen names it. */
export type ConnectionWord = 'live' | 'connecting' | 'reconnecting' | 'disconnected'

/** The live socket as screens see it. */
export interface LiveConnection {
  /**
   * `live`: what is on screen follows the server; `connecting`: it did not yet; `reconnecting`: it may be old;
   * `disconnected`: no attempt is under way.
   */
  state: ConnectionWord
  /** Milliseconds since 1970 of when what is shown last followed the server; undefined if it never did. */
  lastLiveAt?: number | undefined
  /** Follows one thing more until the returned function is called; counted, so two screens may follow the same. */
  follow: (subscription: Subscription) => () => void
}

const LiveContext = createContext<LiveConnection>({ state: 'disconnected', follow: () => () => undefined })

export const LiveProvider = LiveContext.Provider

export function useLive(): LiveConnection {
  return useContext(LiveContext)
}

const nothing: readonly Subscription[] = []

/** Follows a thing while the screen is open; nothing while `subscription` is undefined. */
export function useFollow(subscription: Subscription | undefined): void {
  useFollowAll(subscription ? [subscription] : nothing)
}

/** Follows several things while the screen is open. */
export function useFollowAll(subscriptions: readonly Subscription[]): void {
  const { follow } = useLive()
  const key = JSON.stringify(subscriptions)
  useEffect(() => {
    // Compared by key: equal subscriptions of another render are not followed again.
    const stops = (JSON.parse(key) as Subscription[]).map((each) => follow(each))
    return () => {
      for (const stop of stops) stop()
    }
  }, [key, follow])
}
