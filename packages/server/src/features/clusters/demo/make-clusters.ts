import type { Db } from '../../../platform/db/database.ts'
import { type DemoCluster, demoClusterAgeMs, type DemoScene } from '../../../platform/demo.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { AppError } from '../../../platform/errors.ts'
import { clusters } from '../../../tables/clusters.ts'
import type { Connections } from '../connections.ts'
import type { ClusterProvider } from '../provider.ts'
import { demoClusters, pastOf, scalingsOf, workloadsOf } from './pasts.ts'

type Deps = { provider: ClusterProvider; connections: Connections }

/** Why the clusters of another demo do not fit on this machine; undefined where they do. */
export async function demoRefusal(provider: ClusterProvider): Promise<string | undefined> {
  const capacity = await provider.capacity?.()
  if (capacity === undefined) return undefined
  const left = Math.max(0, capacity.maxSandboxes - capacity.sandboxes)
  if (left >= demoClusters.length) return capacity.refusal ?? undefined
  const room = left === 0 ? 'no more' : `${left} more`
  return `A demo needs ${demoClusters.length} sandboxes, and this machine has memory for ${room}. Delete a sandbox or another demo, or set BEY_SANDBOX_BUDGET_MIB to more memory.`
}

/**
 * Makes the rows and the directories of a demo's clusters, which start once that is committed. Answers how to take the
 * directories back where it is not.
 */
export async function makeDemoClusters(
  db: Db,
  { provider, connections }: Deps,
  scene: Omit<DemoScene, 'clusters'>,
): Promise<{ made: DemoCluster[]; takeBack: () => Promise<void> }> {
  const made: DemoCluster[] = []
  const takeBacks: (() => Promise<void>)[] = []
  const takeBack = async () => {
    for (const each of takeBacks) await each()
  }
  const { organizationId, owner, now } = scene
  const version = provider.describe().versions[0] ?? ''
  try {
    for (const plan of demoClusters) {
      const { mood, title, region, description, nodeGroups } = plan
      const labels = { environment: mood === 'rollout' ? 'staging' : 'production' }
      const [row] = await db
        .insert(clusters)
        .values({
          organizationId,
          title,
          description,
          labels,
          provider: provider.id,
          region,
          version,
          nodeGroups,
          status: 'RUNNING',
          createdBy: owner.id,
          createdAt: new Date(now.getTime() - demoClusterAgeMs),
        })
        .returning({ id: clusters.id })
      if (row === undefined) throw new Error('The cluster was not inserted')
      const cluster = { id: row.id, organizationId, title, region, version, nodeGroups, placement: null }
      const placement = await provider.choosePlacement(cluster)
      takeBacks.push(() => provider.removeState({ ...cluster, placement }, silentStep))
      await provider.prepare?.(cluster, placement, pastOf(plan, scene))
      await connections.savePlacement(db, organizationId, row.id, placement)
      made.push({
        id: row.id,
        title,
        mood,
        provider: provider.id,
        region,
        labels,
        nodeGroups,
        workloads: workloadsOf(plan),
        scalings: scalingsOf(mood, now),
      })
    }
    return { made, takeBack }
  } catch (error) {
    await takeBack()
    throw error instanceof StepFailure
      ? new AppError('limit_reached', error.message, { cause: error })
      : error
  }
}

/** For work of a provider of which there is no run. */
export const silentStep = {
  log: () => undefined,
  progress: () => undefined,
  signal: new AbortController().signal,
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
}
