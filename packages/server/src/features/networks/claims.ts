import type { AddressClaim } from '@bey/contract/networks/rules'

import type { UnreadCluster } from './places.ts'
import { rangesOfClusters } from './cluster-ranges.ts'
import type { NetworkParts } from './parts.ts'
import { allNetworks } from './store.ts'

/** All addresses that networks and clusters of an organization claim, and clusters whose claims may be old. */
export async function readClaims(
  parts: Pick<NetworkParts, 'database' | 'clusters' | 'cache' | 'clock'>,
  organizationId: number,
): Promise<{ claims: AddressClaim[]; unread: UnreadCluster[] }> {
  const [{ ranges, unread }, networks] = await Promise.all([
    rangesOfClusters(parts, organizationId),
    parts.database.readTenant(organizationId, (db) => allNetworks(db, organizationId)),
  ])
  const ofNetworks = networks.flatMap(({ id, name, cidr, cidr6 }) =>
    [cidr, ...(cidr6 === null ? [] : [cidr6])].map((each): AddressClaim => ({
      kind: 'network',
      cidr: each,
      name,
      networkId: id,
      clusterId: null,
    })),
  )
  const ofClusters = ranges.flatMap(({ clusterId, title, pods, services }) => {
    const claim =
      (kind: 'pods' | 'services') =>
      (cidr: string): AddressClaim => ({
        kind,
        cidr,
        name: title,
        networkId: null,
        clusterId,
      })
    return [...pods.map(claim('pods')), ...services.map(claim('services'))]
  })
  return { claims: [...ofNetworks, ...ofClusters], unread }
}
