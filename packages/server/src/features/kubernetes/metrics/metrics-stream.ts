import type { Clock } from '../../../platform/clock.ts'
import type { LivePort } from '../connection/ports.ts'
import type { UsageSource } from './usage.ts'

/** A failure that lasts is sent again after this time, for who came later. */
const repeatErrorAfterMs = 60_000

/**
 * Sends what nodes use to anyone who follows `cluster_metrics`: each measurement of the cluster, which is made once for
 * everybody, or an error with the reason. The hub itself answers that the streaming started and stopped.
 */
export function streamMetrics(deps: {
  live: Pick<LivePort, 'local' | 'onSubscription'>
  usage: UsageSource
  clock: Clock
}): void {
  const { live, usage, clock } = deps
  live.onSubscription('cluster_metrics', ({ clusterId }, organizationId) => {
    let errorSentAtMs = -repeatErrorAfterMs

    function fail(error: string): void {
      const nowMs = clock.monotonicMs()
      if (nowMs - errorSentAtMs < repeatErrorAfterMs) return
      errorSentAtMs = nowMs
      live.local({ organizationId, type: 'METRICS_STREAMING_ERROR', data: { clusterId, error } })
    }

    return usage.follow({ id: clusterId, organizationId }, (measurement) => {
      if ('error' in measurement) return fail(measurement.error)
      if ('isAbsent' in measurement) return fail('The cluster has no metrics: metrics.k8s.io is not served.')
      errorSentAtMs = -repeatErrorAfterMs
      const nodes = [...measurement.usage.nodes].map(([name, used]) => ({ name, ...used }))
      const data = { clusterId, nodes, at: new Date(measurement.usage.atMs).toISOString() }
      live.local({ organizationId, type: 'CLUSTER_METRICS_UPDATE', data })
    })
  })
}
