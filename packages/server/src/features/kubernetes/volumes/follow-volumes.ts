import type { WatchCache } from '../watch/watch-cache.ts'
import type { VolumeUsage } from './volume-usage.ts'

/**
 * Measures the volumes of a cluster that this process observes, so that a volume that fills up is noticed although nobody
 * looks at it.
 */
export function followVolumes(
  cluster: { id: number; organizationId: number; title: string },
  { cache, volumes }: { cache: WatchCache; volumes: VolumeUsage },
): { stop(): void } {
  const observation = cache.observe(cluster, () => undefined)
  const following = volumes.follow(cluster, () => observation.cache())
  return {
    stop() {
      following.stop()
      observation.stop()
    },
  }
}
