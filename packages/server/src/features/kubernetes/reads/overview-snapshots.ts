import type { ClusterOverview } from '@bey/contract'
import { clusterOverview } from '@bey/contract/kubernetes/endpoints'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import { clusterHealth } from '../../../tables/cluster-health.ts'

type ClusterRef = { id: number; organizationId: number; title: string }

export type OverviewSnapshots = {
  /** Keeps the overview as it is now, at most once a minute and only while the cluster is watched. Never throws. */
  take(cluster: ClusterRef, read: () => Promise<ClusterOverview>): void
  /** What was kept last; undefined for a cluster that was never looked at. */
  last(cluster: Pick<ClusterRef, 'id' | 'organizationId'>): Promise<ClusterOverview | undefined>
}

const leastPauseMs = 60_000
/** A snapshot larger than this is of a cluster whose overview is a page of attention; it is not worth a row. */
const maxBytes = 1024 * 1024

/** Overviews in the database: the last known state of a cluster that is away when this server starts. */
export function createOverviewSnapshots(deps: {
  database: Pick<Database, 'readTenant' | 'withTenant'>
  clock: Clock
  log: Log
}): OverviewSnapshots {
  const { database, clock, log } = deps
  const taken = new Map<number, { atMs: number; digest: string }>()

  async function keep(cluster: ClusterRef, overview: ClusterOverview): Promise<void> {
    const { asOf: _age, ...rest } = overview
    const digest = JSON.stringify(rest)
    const before = taken.get(cluster.id)
    if (!overview.isLive || before?.digest === digest || digest.length > maxBytes) return
    taken.set(cluster.id, { atMs: clock.monotonicMs(), digest })
    await database.withTenant(cluster.organizationId, (db) =>
      db.update(clusterHealth).set({ overview }).where(eq(clusterHealth.clusterId, cluster.id)),
    )
  }

  return {
    take(cluster, read) {
      const nowMs = clock.monotonicMs()
      const before = taken.get(cluster.id)
      if (before && nowMs - before.atMs < leastPauseMs) return
      taken.set(cluster.id, { atMs: nowMs, digest: before?.digest ?? '' })
      read()
        .then((overview) => keep(cluster, overview))
        .catch((error: unknown) =>
          log.debug({ err: error, clusterId: cluster.id }, 'The overview of a cluster was not kept'),
        )
    },
    last: ({ id, organizationId }) =>
      database.readTenant(organizationId, async (db) => {
        const rows = await db
          .select({ overview: clusterHealth.overview })
          .from(clusterHealth)
          .where(and(eq(clusterHealth.clusterId, id), isNotNull(clusterHealth.overview)))
        // One that an older version kept may be of another form: then nothing is known.
        return clusterOverview.safeParse(rows[0]?.overview).data
      }),
  }
}
