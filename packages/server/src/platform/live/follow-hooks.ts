import type { Subscription } from '@bey/contract'

type SubscriptionKind = Subscription['kind']
type SubscriptionOf<K extends SubscriptionKind> = Extract<Subscription, { kind: K }>

/** Starts work for who follows; the returned function ends it. */
type FollowHook<K extends SubscriptionKind> = (
  subscription: SubscriptionOf<K>,
  organizationId: number,
) => () => void

/** Called for each follower after the first: what was announced before reached the earlier ones only. */
type NextHook<K extends SubscriptionKind> = (subscription: SubscriptionOf<K>) => void

export type FollowHooks = {
  on: <K extends SubscriptionKind>(kind: K, hook: FollowHook<K>, onNext?: NextHook<K>) => void
  /** One more follower; throws what a hook throws, nothing being followed then. Returns the way to stop. */
  add: (organizationId: number, key: string, subscription: Subscription) => () => void
  /** What is followed. */
  count: () => number
}

type AnyHook = (subscription: never, organizationId: number) => () => void
type AnyNextHook = (subscription: never) => void

type Followed = { followers: number; release: () => void }

/** Work that runs only while its outcome is followed: started for the first follower, ended after the last. */
export function createFollowHooks(): FollowHooks {
  const hooks = new Map<SubscriptionKind, AnyHook[]>()
  const nextHooks = new Map<SubscriptionKind, AnyNextHook[]>()
  const followed = new Map<string, Followed>()

  function begin(subscription: Subscription, organizationId: number): () => void {
    const releases: (() => void)[] = []
    const release = () => releases.forEach((each) => each())
    try {
      for (const hook of hooks.get(subscription.kind) ?? []) {
        // Hooks are kept under the kind they take.
        releases.push(hook(subscription as never, organizationId))
      }
    } catch (error) {
      release()
      throw error
    }
    return release
  }

  return {
    on(kind, hook, onNext) {
      hooks.set(kind, [...(hooks.get(kind) ?? []), hook])
      if (onNext) nextHooks.set(kind, [...(nextHooks.get(kind) ?? []), onNext])
    },
    add(organizationId, subscriptionKey, subscription) {
      const key = `${organizationId} ${subscriptionKey}`
      const known = followed.get(key)
      const entry = known ?? { followers: 0, release: begin(subscription, organizationId) }
      followed.set(key, entry)
      if (known) for (const next of nextHooks.get(subscription.kind) ?? []) next(subscription as never)
      entry.followers += 1
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        entry.followers -= 1
        if (entry.followers > 0) return
        followed.delete(key)
        entry.release()
      }
    },
    count: () => followed.size,
  }
}
