import { type HeldAddress, objectPath } from '@bey/contract'
import { type AddressRange, parseAddress, rangeOf } from '@bey/contract/networks/ranges'

import { AppError } from '../../platform/errors.ts'
import { ClusterFailure } from '../../platform/clusters/open-cluster.ts'
import type { AttachmentRow } from './attachment-rows.ts'
import { openLive } from './open-live.ts'
import type { NetworkParts } from './parts.ts'
import type { UnreadCluster } from './places.ts'
import { readItems } from './read-items.ts'
import type { NetworkRow } from './store.ts'

/** An address of a network with the number by which it is sorted and found. */
export type Held = { shown: HeldAddress; family: 4 | 6; value: bigint }

type Found = Omit<HeldAddress, 'href' | 'clusterTitle'> & { resource: string }

/** Addresses within the ranges of a network that something attached to it has, in their order. */
export async function heldAddresses(
  parts: Pick<NetworkParts, 'clusters' | 'cache'>,
  row: Pick<NetworkRow, 'organizationId' | 'cidr' | 'cidr6'>,
  attached: readonly AttachmentRow[],
): Promise<{ held: Held[]; unread: UnreadCluster[] }> {
  const { organizationId } = row
  const ranges = [row.cidr, ...(row.cidr6 === null ? [] : [row.cidr6])].map(rangeOf)
  const unread: UnreadCluster[] = []
  const clusterIds = [...new Set(attached.flatMap(({ clusterId }) => clusterId ?? []))]
  const ofClusters = await Promise.all(
    clusterIds.map(async (clusterId) => {
      const own = attached.filter((each) => each.clusterId === clusterId)
      const title = own[0]?.clusterTitle ?? own[0]?.name ?? String(clusterId)
      try {
        const found = await inCluster(parts, { id: clusterId, organizationId, title })
        const isWhole = own.some(({ kind }) => kind === 'cluster')
        const isOurs = ({ namespace }: Found) =>
          isWhole || own.some((each) => each.namespace !== null && each.namespace === namespace)
        return found.filter(isOurs).map(({ resource, ...each }): HeldAddress => ({
          ...each,
          clusterTitle: title,
          href: objectPath({ clusterId, resource, namespace: each.namespace ?? '', name: each.name }),
        }))
      } catch (error) {
        if (!(error instanceof ClusterFailure || error instanceof AppError)) throw error
        unread.push({ clusterId, title, reason: error.message })
        return []
      }
    }),
  )
  const ofDatabases = attached.flatMap(({ kind, databaseId, databaseHost, name }): HeldAddress[] =>
    kind !== 'database' || databaseHost === null
      ? []
      : [
          {
            address: databaseHost,
            kind: 'database',
            name,
            namespace: null,
            clusterId: null,
            clusterTitle: null,
            href: `/databases/${databaseId}`,
          },
        ],
  )
  const held = [...ofClusters.flat(), ...ofDatabases].flatMap((each): Held[] => {
    const address = parseAddress(each.address)
    return address === undefined || !ranges.some((range) => isWithin(range, address))
      ? []
      : [{ shown: each, ...address }]
  })
  return { held: held.toSorted(byAddress), unread }
}

const isWithin = (range: AddressRange, { family, value }: { family: 4 | 6; value: bigint }) =>
  range.family === family && range.first <= value && value <= range.last

const byAddress = (a: Held, b: Held) =>
  a.family - b.family || (a.value < b.value ? -1 : a.value > b.value ? 1 : 0)

type RawService = {
  metadata: { name: string; namespace: string }
  spec?: { clusterIPs?: string[]; clusterIP?: string; externalIPs?: string[] }
  status?: { loadBalancer?: { ingress?: { ip?: string }[] } }
}

/** Every address that nodes, pods and services of a cluster have. Throws ClusterFailure or AppError. */
async function inCluster(
  parts: Pick<NetworkParts, 'clusters' | 'cache'>,
  cluster: { id: number; organizationId: number; title: string },
): Promise<Found[]> {
  const [tables, services] = await Promise.all([
    parts.cache.read(cluster, ['nodes', 'pods']),
    openLive(parts, cluster.organizationId, cluster.id).then((open) =>
      readItems<RawService>(open, '/api/v1/services'),
    ),
  ])
  const nodes = [...tables.table('nodes').values()].flatMap(({ name, internalIp }): Found[] =>
    internalIp === null
      ? []
      : [
          {
            address: internalIp,
            kind: 'node',
            name,
            namespace: null,
            clusterId: cluster.id,
            resource: 'nodes',
          },
        ],
  )
  const ofNodes = new Set(nodes.map(({ address }) => address))
  // A pod in the network of its node has the node's address.
  const pods = [...tables.table('pods').values()].flatMap(({ name, namespace, ip, isTerminal }): Found[] =>
    ip === null || isTerminal || ofNodes.has(ip)
      ? []
      : [{ address: ip, kind: 'pod', name, namespace, clusterId: cluster.id, resource: 'pods' }],
  )
  const ofServices = services.flatMap(({ metadata: { name, namespace }, spec, status }): Found[] => {
    const own = { name, namespace, clusterId: cluster.id, resource: 'services' }
    const inside = spec?.clusterIPs ?? (spec?.clusterIP === undefined ? [] : [spec.clusterIP])
    const outside = [
      ...(spec?.externalIPs ?? []),
      ...(status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? []),
    ]
    return [
      ...inside
        .filter((ip) => ip !== 'None')
        .map((address) => ({ ...own, address, kind: 'service' as const })),
      ...outside.map((address) => ({ ...own, address, kind: 'load_balancer' as const })),
    ]
  })
  return [...nodes, ...pods, ...ofServices]
}
