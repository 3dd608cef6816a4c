import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { Assessor } from '../health/assessor.ts'
import type { KindName } from '../watch/kinds.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import { clusterSamples } from './cluster-samples.ts'
import { createRestartRate } from './restart-rate.ts'
import type { UsageSource } from './usage.ts'

/** Without these nothing can be counted; of the others, what may not be read is missing. */
const neededKinds: readonly KindName[] = ['nodes', 'pods']

type CollectedCluster = { id: number; organizationId: number; title: string }

/**
 * Writes the metrics of a cluster at each of its measurements, every 15 s. To be run by the process that observes the
 * cluster, whose caches hold what is counted here. While the cluster does not answer, nothing is written.
 */
export function collectMetrics(
  cluster: CollectedCluster,
  deps: {
    metrics: Metrics
    cache: WatchCache
    assessor: Assessor
    usage: UsageSource
    clock: Clock
    log: Log
  },
): { stop(): void } {
  const { metrics, assessor, clock, log } = deps
  const { id, organizationId } = cluster
  const entity = { type: 'cluster', id: String(id) }
  const observation = deps.cache.observe(cluster, () => undefined)
  const restartRate = createRestartRate()
  let isWriting = false
  let lastReason: string | null = null

  async function write(usage: Parameters<typeof clusterSamples>[2]): Promise<void> {
    const cache = observation.cache()
    // What is not current was not so now; what cannot be listed would be counted as nothing.
    if (cache.failures(neededKinds).length > 0 || !cache.freshness(neededKinds).isLive) return
    const now = clock.now()
    const perMinute = restartRate(cache.table('pods').values(), now.getTime())
    const samples = clusterSamples(cache, assessor.assessed(cache), usage, perMinute)
    const outcome = await metrics.write(organizationId, entity, now, samples)
    if (outcome.reason !== null && outcome.reason !== lastReason) {
      log.warn({ clusterId: id, refused: outcome.refused }, `Metrics were refused: ${outcome.reason}`)
    }
    lastReason = outcome.reason
  }

  const stopFollowing = deps.usage.follow(cluster, (measurement) => {
    // A database that is slower than a round loses rounds, not memory.
    if ('error' in measurement || isWriting) return
    isWriting = true
    void write('usage' in measurement ? measurement.usage : undefined)
      .catch((error: unknown) => log.debug({ err: error, clusterId: id }, 'Metrics were not written'))
      .finally(() => (isWriting = false))
  })

  return {
    stop() {
      stopFollowing()
      observation.stop()
      metrics.release(organizationId, entity)
    },
  }
}
