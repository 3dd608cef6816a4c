import type { Subscription } from '@bey/contract'
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
  switch (subscription.kind) {
    case 'workflow':
      return { kind: 'Workflow', subject: subscription.workflowId }
    case 'cluster':
      return { kind: 'Cluster', subject: `${subscription.clusterId} provisioning` }
    case 'cluster_metrics':
      return { kind: 'Cluster', subject: `${subscription.clusterId} metrics` }
    case 'cluster_resources':
      return { kind: 'Cluster', subject: `${subscription.clusterId} resources` }
    case 'organization':
      return { kind: 'Global', subject: 'organization' }
    case 'workflows':
      return { kind: 'Global', subject: 'all workflows' }
    case 'engine_status':
      return { kind: 'Global', subject: 'engine status' }
  }
}
