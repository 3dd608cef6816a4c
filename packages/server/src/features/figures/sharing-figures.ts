import { Gauge, type Registry } from 'prom-client'

import type { SharedWatchFigures } from '../kubernetes/watch/shared/share-watches.ts'

/** Undefined where `BEY_PEER_ADDRESS` is not set. */
export type SharingSource = () => SharedWatchFigures | undefined

/** Figures of the watches of clusters that processes share; all are 0 where they share none. */
export function sharingFigures(read: SharingSource, register: Registry): void {
  new Gauge({
    name: 'bey_shared_watches',
    help: 'Watches of clusters that processes share, by where this one reads or sends them',
    registers: [register],
    labelNames: ['side'],
    collect() {
      const found = read()
      this.set({ side: 'from_cluster' }, found?.fromClusters ?? 0)
      this.set({ side: 'from_peer' }, found?.fromPeers ?? 0)
      this.set({ side: 'to_peer' }, found?.toPeers ?? 0)
    },
  })
  new Gauge({
    name: 'bey_peers',
    help: 'Other processes with which watches are shared, by whether this one reaches them',
    registers: [register],
    labelNames: ['state'],
    collect() {
      const found = read()
      this.set({ state: 'connected' }, found?.connectedPeers ?? 0)
      this.set({ state: 'unreachable' }, found?.unreachablePeers ?? 0)
    },
  })
}
