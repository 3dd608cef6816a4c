import { ClusterFailure } from '../../platform/clusters/open-cluster.ts'
import { findingOf, readPolicies } from './cluster-policies.ts'
import { openLive } from './open-live.ts'
import type { NetworkParts } from './parts.ts'
import { listPolicies, noteFinding } from './policy-rows.ts'
import type { NetworkRow } from './store.ts'

/** Policies that are not as they were written, as `namespace/name in cluster`, and clusters that did not answer. */
export type Comparison = { differing: string[]; silent: string[]; hasChanged: boolean }

/** Compares every policy that is kept for a network with its cluster, and notes what was found. */
export async function compareWithClusters(
  parts: Pick<NetworkParts, 'database' | 'clusters' | 'cache' | 'clock'>,
  { organizationId, id }: Pick<NetworkRow, 'organizationId' | 'id'>,
): Promise<Comparison> {
  const { database, clock } = parts
  const kept = await database.readTenant(organizationId, (db) => listPolicies(db, organizationId, id))
  const clusterIds = [...new Set(kept.map(({ clusterId }) => clusterId))]
  const comparison: Comparison = { differing: [], silent: [], hasChanged: false }
  await Promise.all(
    clusterIds.map(async (clusterId) => {
      const own = kept.filter((each) => each.clusterId === clusterId)
      const title = own[0]?.clusterTitle ?? String(clusterId)
      try {
        const live = await readPolicies(await openLive(parts, organizationId, clusterId), id)
        await database.withTenant(organizationId, async (db) => {
          for (const row of own) {
            const finding = findingOf(row, live)
            await noteFinding(db, organizationId, row, finding, clock.now())
            if (finding.state !== row.state) comparison.hasChanged = true
            if (finding.state !== 'in_force')
              comparison.differing.push(`${row.namespace}/${row.name} in ${title}`)
          }
        })
      } catch (error) {
        if (!(error instanceof ClusterFailure)) throw error
        comparison.silent.push(title)
      }
    }),
  )
  return comparison
}
