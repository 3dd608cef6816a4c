import { freeBlocks, parseAddress, parseRange, rangeAt, rangeOf } from '@bey/contract/networks/ranges'
import { and, eq, isNull, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { clusters } from '../../tables/clusters.ts'
import { clusterRanges } from '../../tables/networks.ts'
import { type Cluster, ClusterFailure } from '../../platform/clusters/open-cluster.ts'
import { openLive } from './open-live.ts'
import type { NetworkParts } from './parts.ts'
import { readItemsIfServed } from './read-items.ts'
import { unreadCluster, type UnreadCluster } from './places.ts'

/** Ranges from which a cluster gives addresses to pods and services. */
export type ClusterRanges = { clusterId: number; pods: string[]; services: string[] }

const maxRanges = 500
/** For so long what was read of a cluster is not read again. */
const freshSeconds = 30

/**
 * The ranges of all clusters of an organization, read anew where they are not fresh; of a cluster that does not answer
 * as they were last read, and it is named.
 */
export async function rangesOfClusters(
  parts: Pick<NetworkParts, 'database' | 'clusters' | 'cache' | 'clock'>,
  organizationId: number,
): Promise<{ ranges: (ClusterRanges & { title: string })[]; unread: UnreadCluster[] }> {
  const { database, clock } = parts
  const running = await parts.clusters.listRunning(organizationId, 200)
  const kept = await database.readTenant(organizationId, (db) => keptRanges(db, organizationId, clock.now()))
  const unread: UnreadCluster[] = []
  const ranges = await Promise.all(
    running.map(async ({ id, title }) => {
      const last = kept.find(({ clusterId }) => clusterId === id)
      if (last?.isFresh) return { ...last, title }
      try {
        const read = await readRanges(await openLive(parts, organizationId, id))
        await database.withTenant(organizationId, (db) =>
          keepRanges(db, organizationId, { clusterId: id, ...read }, clock.now()),
        )
        return { clusterId: id, title, ...read }
      } catch (error) {
        if (!(error instanceof ClusterFailure)) throw error
        unread.push(await unreadCluster(parts, organizationId, id, error))
        return last && { ...last, title }
      }
    }),
  )
  // One that does not run at the moment gives its addresses again when it does.
  const resting = kept.filter(({ clusterId }) => !running.some(({ id }) => id === clusterId))
  return { ranges: [...ranges.filter((each) => each !== undefined), ...resting], unread }
}

function keptRanges(db: Db, organizationId: number, now: Date) {
  return db
    .select({
      clusterId: clusterRanges.clusterId,
      title: clusters.title,
      pods: clusterRanges.pods,
      services: clusterRanges.services,
      isFresh: sql<boolean>`${clusterRanges.readAt} > ${now.toISOString()}::timestamptz - make_interval(secs => ${freshSeconds})`,
    })
    .from(clusterRanges)
    .innerJoin(clusters, eq(clusters.id, clusterRanges.clusterId))
    .where(and(eq(clusterRanges.organizationId, organizationId), isNull(clusters.deletedAt)))
}

async function keepRanges(
  db: Db,
  organizationId: number,
  { clusterId, pods, services }: ClusterRanges,
  readAt: Date,
): Promise<void> {
  await db
    .insert(clusterRanges)
    .values({ clusterId, organizationId, pods, services, readAt })
    .onConflictDoUpdate({
      target: clusterRanges.clusterId,
      set: { pods, services, readAt },
      setWhere: eq(clusterRanges.organizationId, organizationId),
    })
}

async function readRanges(cluster: Cluster): Promise<Omit<ClusterRanges, 'clusterId'>> {
  const [nodes, serviceRanges] = await Promise.all([
    readItemsIfServed<{ spec?: { podCIDR?: string; podCIDRs?: string[] } }>(cluster, '/api/v1/nodes'),
    readItemsIfServed<{ spec?: { cidrs?: string[] } }>(cluster, '/apis/networking.k8s.io/v1/servicecidrs'),
  ])
  const ofNodes = nodes.flatMap(({ spec }) => spec?.podCIDRs ?? spec?.podCIDR ?? [])
  const pods =
    ofNodes.length > 0
      ? ofNodes
      : // Some networks of pods give out addresses by themselves: then those that pods have tell.
        aroundAddresses(
          (await readItemsIfServed<PodAddress>(cluster, '/api/v1/pods')).flatMap(({ spec, status }) =>
            spec?.hostNetwork === true ? [] : (status?.podIP ?? []),
          ),
        )
  const services =
    serviceRanges.length > 0
      ? serviceRanges.flatMap(({ spec }) => spec?.cidrs ?? [])
      : aroundAddresses(
          (await readItemsIfServed<{ spec?: { clusterIP?: string } }>(cluster, '/api/v1/services')).flatMap(
            ({ spec }) => spec?.clusterIP ?? [],
          ),
        )
  return { pods: merged(pods).slice(0, maxRanges), services: merged(services).slice(0, maxRanges) }
}

type PodAddress = { spec?: { hostNetwork?: boolean }; status?: { podIP?: string } }

/** The blocks of 256 IPv4 addresses, or of a /64 of IPv6, around these. */
function aroundAddresses(addresses: readonly string[]): string[] {
  return addresses.flatMap((text) => {
    const address = parseAddress(text)
    if (address === undefined) return []
    const prefix = address.family === 4 ? 24 : 64
    const size = 1n << BigInt((address.family === 4 ? 32 : 128) - prefix)
    return rangeAt(address.value - (address.value % size), address.family, prefix).cidr
  })
}

/** The same addresses in the fewest ranges; what is no range is left out. */
function merged(cidrs: readonly string[]): string[] {
  const ranges = cidrs.flatMap((cidr) => {
    const range = parseRange(cidr)
    return 'problem' in range ? [] : range
  })
  return [rangeOf('0.0.0.0/0'), rangeOf('::/0')].flatMap((all) => {
    const taken = ranges.filter(({ family }) => family === all.family)
    return taken.length === 0 ? [] : freeBlocks(all, freeBlocks(all, taken)).map(({ cidr }) => cidr)
  })
}
