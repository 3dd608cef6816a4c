import type { ClusterSnapshot } from '@bey/contract/reachability/snapshot'
import type { FlowLog, FlowSource, Observed } from './flow-log.ts'

export type ObservedFlows = {
  /** The connections that a cluster reports, or why none are known. `snapshot` is what is watched of the cluster. */
  read(organizationId: number, clusterId: number, snapshot: ClusterSnapshot): Promise<FlowLog>
  stop(): void
}

/**
 * Asks the sources in their order: the first that reports connections counts, with the reason why an earlier one that the
 * cluster has cannot be read.
 */
export function openObservedFlows(sources: readonly FlowSource[]): ObservedFlows {
  return {
    async read(organizationId, clusterId, snapshot) {
      let reason: string | undefined
      for (const source of sources) {
        // oxlint-disable-next-line no-await-in-loop -- a later source is asked only where an earlier one has nothing
        const log = await source.read(organizationId, clusterId, snapshot)
        if (log === undefined) continue
        if (log.source !== null) return withReason(log, reason)
        reason ??= log.reason
      }
      return {
        source: null,
        reason: reason ?? 'This cluster reports no connections. Sandboxes and clusters with Hubble Relay do.',
      }
    },
    stop() {
      for (const source of sources) source.stop()
    },
  }
}

const withReason = (log: Observed, reason: string | undefined): Observed =>
  reason === undefined ? log : { ...log, incomplete: [reason, log.incomplete].filter(Boolean).join(' ') }
