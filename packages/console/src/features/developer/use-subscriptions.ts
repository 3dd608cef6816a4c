import type { Subscription } from '@bey/contract'
import { followedEntity, subscriptionTable } from '@bey/contract'
import { useEffect, useState } from 'react'
import { liveSocket } from '../../data/live-socket.ts'

const refreshMs = 2_000

/** What the server says is followed, looked up every 2 s. */
export function useSubscriptions(): readonly Subscription[] {
  const [subscriptions, setSubscriptions] = useState(liveSocket.state.subscriptions)
  useEffect(() => {
    const timer = setInterval(() => setSubscriptions(liveSocket.state.subscriptions), refreshMs)
    return () => clearInterval(timer)
  }, [])
  return subscriptions
}

export type SubscriptionKind = 'Workflow' | 'Cluster' | 'Global'

/** A subscription in words: its kind, and what is followed. */
export function describeSubscription(subscription: Subscription): {
  kind: SubscriptionKind
  subject: string
} {
  const followed = followedEntity(subscription)
  const { label } = subscriptionTable[subscription.kind]
  if (!followed) return { kind: 'Global', subject: label }
  return {
    kind: followed.type === 'workflow' ? 'Workflow' : 'Cluster',
    subject: `${followed.id} ${label}`.trimEnd(),
  }
}
