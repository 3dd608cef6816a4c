import type { Subscription } from '@bey/contract'
import { subscriptionKey } from '@bey/contract'

/** Called with nothing when a subscription took effect, with an error when it was refused. */
export type Outcome = (error: Error | undefined) => void

type Followed = {
  subscription: Subscription
  followers: Set<{ onResult: Outcome }>
  result?: { error: Error | undefined } | undefined
}

/** What is followed, counted: the first follower begins it, the last one ends it. */
export type Following = {
  /** Returns whether this is the first follower; `release` returns whether it was the last, and false when repeated. */
  add: (subscription: Subscription, onResult: Outcome) => { isFirst: boolean; release: () => boolean }
  list: () => Subscription[]
  /** Reports the result to all followers; later followers get it at once. */
  settle: (subscription: Subscription, error: Error | undefined) => void
  /** Forgets all results: the connection is lost, so no subscription is in effect. */
  forgetResults: () => void
}

export function createFollowing(): Following {
  const followed = new Map<string, Followed>()
  return {
    add(subscription, onResult) {
      const key = subscriptionKey(subscription)
      const entry = followed.get(key) ?? { subscription, followers: new Set() }
      const follower = { onResult }
      const isFirst = entry.followers.size === 0
      entry.followers.add(follower)
      followed.set(key, entry)
      if (entry.result) onResult(entry.result.error)
      return {
        isFirst,
        release() {
          if (!entry.followers.delete(follower) || entry.followers.size > 0) return false
          return followed.delete(key)
        },
      }
    },
    list: () => [...followed.values()].map((entry) => entry.subscription),
    settle(subscription, error) {
      const entry = followed.get(subscriptionKey(subscription))
      if (!entry) return
      entry.result = { error }
      for (const follower of Array.from(entry.followers)) follower.onResult(error)
    },
    forgetResults() {
      for (const entry of followed.values()) entry.result = undefined
    },
  }
}
