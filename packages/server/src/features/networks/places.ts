import { ClusterFailure } from '../../platform/clusters/open-cluster.ts'
import { openLive } from './open-live.ts'
import type { NetworkParts } from './parts.ts'
import { readItems } from './read-items.ts'
import type { RenderedNetwork } from './render-policies.ts'

type Attached = { clusterId: number | null; namespace: string | null }

export type UnreadCluster = { clusterId: number; title: string; reason: string }

/**
 * The clusters of these attachments with the namespaces that take part, and those that could not be asked for theirs:
 * of a cluster that is attached as a whole only the cluster itself knows them.
 */
export async function placesOf(
  parts: Pick<NetworkParts, 'clusters' | 'cache'>,
  organizationId: number,
  attached: readonly Attached[],
): Promise<{ places: RenderedNetwork['places']; unread: UnreadCluster[] }> {
  const ids = [...new Set(attached.flatMap(({ clusterId }) => clusterId ?? []))]
  const unread: UnreadCluster[] = []
  const places = await Promise.all(
    ids.map(async (clusterId) => {
      const own = attached.filter((each) => each.clusterId === clusterId)
      const isWhole = own.some(({ namespace }) => !namespace)
      if (!isWhole) return { clusterId, isWhole, namespaces: own.map(({ namespace }) => namespace ?? '') }
      try {
        return { clusterId, isWhole, namespaces: await readNamespaces(parts, organizationId, clusterId) }
      } catch (error) {
        if (!(error instanceof ClusterFailure)) throw error
        unread.push(await unreadCluster(parts, organizationId, clusterId, error))
        return undefined
      }
    }),
  )
  return { places: places.filter((place) => place !== undefined), unread }
}

export async function unreadCluster(
  { clusters }: Pick<NetworkParts, 'clusters' | 'cache'>,
  organizationId: number,
  clusterId: number,
  error: ClusterFailure,
): Promise<UnreadCluster> {
  const found = await clusters.find(organizationId, clusterId)
  return { clusterId, title: found?.title ?? String(clusterId), reason: error.message }
}

async function readNamespaces(
  parts: Pick<NetworkParts, 'clusters' | 'cache'>,
  organizationId: number,
  clusterId: number,
): Promise<string[]> {
  const cluster = await openLive(parts, organizationId, clusterId)
  const items = await readItems<{ metadata: { name: string; deletionTimestamp?: string } }>(
    cluster,
    '/api/v1/namespaces',
  )
  return items.filter(({ metadata }) => !metadata.deletionTimestamp).map(({ metadata }) => metadata.name)
}
