import type { ObservedCluster } from './observer-store.ts'

/** Begins what a feature does for a cluster as long as this process observes it. */
type Begin = (cluster: ObservedCluster) => { stop(): void }

/** What other features do for observed clusters: each cluster is observed by one process only. */
export function createAttendants() {
  const all = new Set<Begin>()
  const attended = new Map<ObservedCluster, { stop(): void }[]>()
  return {
    /** Does it for clusters that are observed from now on, and for those that are already. */
    add(begin: Begin): void {
      all.add(begin)
      for (const [cluster, running] of attended) running.push(begin(cluster))
    },
    attend(cluster: ObservedCluster): { stop(): void } {
      const running = [...all].map((begin) => begin(cluster))
      attended.set(cluster, running)
      return {
        stop() {
          attended.delete(cluster)
          for (const each of running) each.stop()
        },
      }
    },
  }
}
