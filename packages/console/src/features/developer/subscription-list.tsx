import { Badge } from '../../ui/badge.tsx'
import { describeSubscription, useSubscriptions } from './use-subscriptions.ts'

/** What this page follows over the socket. */
export function SubscriptionList() {
  const subscriptions = useSubscriptions()
  if (subscriptions.length === 0) return <p className="text-text-3">No active subscriptions</p>
  return (
    <ul aria-label="Subscriptions" className="flex flex-col gap-1.5">
      {subscriptions.map((subscription) => {
        const { kind, subject } = describeSubscription(subscription)
        return (
          <li key={`${subscription.kind} ${subject}`} className="flex items-center gap-2">
            <Badge>{kind}</Badge>
            <span className="min-w-0 truncate">{subject}</span>
          </li>
        )
      })}
    </ul>
  )
}
