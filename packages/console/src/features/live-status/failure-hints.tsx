import type { LiveState } from '@bey/client'
import { useBackendConnection } from '../../data/health.ts'
import { Notice } from '../../ui/notice.tsx'
import { failureHints, failures, likelyFailure } from './failure.ts'

/** While there is no connection: the likely reason, once it is known. */
export function LikelyFailure({ state }: { state: LiveState }) {
  const likely = likelyFailure(state, useBackendConnection())
  if (!likely) return null
  return (
    <Notice tone="warn" title={failureHints[likely].title}>
      {failureHints[likely].hint}
    </Notice>
  )
}

/** Everything that may keep a connection from being made. */
export function FailureHints() {
  return (
    <details>
      <summary className="text-text-2">When a connection fails</summary>
      <dl className="mt-1 divide-y divide-line">
        {failures.map((failure) => (
          <div key={failure} className="py-2">
            <dt className="font-medium">{failureHints[failure].title}</dt>
            <dd className="text-text-2">{failureHints[failure].hint}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
