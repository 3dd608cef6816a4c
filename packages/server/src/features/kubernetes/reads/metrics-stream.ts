import type { Clock } from '../../../platform/clock.ts'
import { whyUnreachable } from '../connection/cluster-agents.ts'
import { AppError } from '../../../platform/errors.ts'
import type { LivePort } from '../connection/ports.ts'
import type { UsageSource } from './usage.ts'

/** Followers of a cluster's metrics hear from it this often. */
export const metricsPeriodMs = 5_000

/** A failure that lasts is told again after this time, for who came later. */
const repeatErrorAfterMs = 60_000

/**
 * Sends what nodes use to whoever follows `cluster_metrics`: an update every few seconds, or an error with the
 * reason. The hub itself answers that the streaming started and stopped.
 */
export function streamMetrics(deps: {
  live: Pick<LivePort, 'local' | 'onSubscription'>
  usage: UsageSource
  clock: Clock
}): void {
  const { live, usage, clock } = deps
  live.onSubscription('cluster_metrics', ({ clusterId }, organizationId) => {
    const stopped = new AbortController()
    let cancel = () => undefined as void
    let errorSentAtMs = -repeatErrorAfterMs

    async function tick(): Promise<void> {
      try {
        const found = await usage.fetch({ id: clusterId, organizationId })
        if (stopped.signal.aborted) return
        if (!found) fail('The cluster has no metrics: metrics.k8s.io is not served.')
        else {
          errorSentAtMs = -repeatErrorAfterMs
          const nodes = [...found.nodes].map(([name, used]) => ({ name, ...used }))
          const data = { clusterId, nodes, at: new Date(found.atMs).toISOString() }
          live.local({ organizationId, type: 'CLUSTER_METRICS_UPDATE', data })
        }
      } catch (error) {
        if (!stopped.signal.aborted) {
          fail(
            error instanceof AppError
              ? error.message
              : `The cluster does not answer: ${whyUnreachable(error)}.`,
          )
        }
      }
      if (!stopped.signal.aborted) cancel = clock.setTimeout(() => void tick(), metricsPeriodMs)
    }

    function fail(error: string): void {
      const nowMs = clock.monotonicMs()
      if (nowMs - errorSentAtMs < repeatErrorAfterMs) return
      errorSentAtMs = nowMs
      live.local({ organizationId, type: 'METRICS_STREAMING_ERROR', data: { clusterId, error } })
    }

    // After the command has been answered, so that whoever subscribed is there to hear it.
    cancel = clock.setTimeout(() => void tick(), 0)
    return () => {
      stopped.abort()
      cancel()
    }
  })
}
