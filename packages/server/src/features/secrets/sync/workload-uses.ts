import type { SecretUse } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import { ClusterFailure, openCluster } from '../../../platform/clusters/open-cluster.ts'
import type { ClusterDoor } from '../../kubernetes/connection/ports.ts'
import { type SecretUser, usersOf } from './restart.ts'
import type { SyncRow } from './store.ts'

/** A page that shows them does not wait longer for a cluster. */
const answerMs = 3_000

const kinds = { deployments: 'Deployment', statefulsets: 'StatefulSet', daemonsets: 'DaemonSet' } as const

/**
 * The workloads that use the copy of a secret, and what a rotation means for each. Undefined where the cluster does not
 * say so now.
 */
export async function workloadUses(
  clusters: ClusterDoor,
  clock: Clock,
  sync: SyncRow,
): Promise<SecretUse[] | undefined> {
  const { organizationId, clusterId } = sync
  let cancel = () => undefined as void
  const tooLate = new Promise<undefined>((resolve) => {
    cancel = clock.setTimeout(() => resolve(undefined), answerMs)
  })
  const users = openCluster(clusters, organizationId, clusterId)
    .then((cluster) => usersOf(cluster, sync))
    .catch((error: unknown) => {
      if (error instanceof ClusterFailure) return undefined
      throw error
    })
  // Whichever comes second is not waited for any more; a failure of it is nobody's then.
  const found = await Promise.race([users, tooLate]).finally(cancel)
  return found?.map((user) => presentUser(user, sync))
}

function presentUser({ kind, workload, place }: SecretUser, sync: SyncRow): SecretUse {
  const { clusterId, clusterTitle, namespace, name, restarts, state, syncedAt, syncedVersion } = sync
  const isStuck = state === 'conflict' || state === 'failed'
  const how = place === 'environment' ? 'reads it into its environment' : 'mounts it'
  const isRestarted = restarts ? '' : place === 'environment' ? ', and is not restarted' : ''
  return {
    type: 'workload',
    id: `${clusterId}/${kind}/${namespace}/${workload.metadata.name}`,
    name: `${kinds[kind]} ${namespace}/${workload.metadata.name}`,
    detail: `In ${clusterTitle}, by the Secret ${namespace}/${name}: ${how}${isRestarted}`,
    // A daemon set has no wanted number of its own: its nodes decide.
    pods: workload.spec?.replicas ?? workload.status?.desiredNumberScheduled ?? 1,
    isStuck,
    lastUsedAt: syncedAt?.toISOString() ?? null,
    lastVersion: syncedVersion,
    onRotation: isStuck ? 'breaks' : restarts ? 'restarts' : place === 'environment' ? 'breaks' : 'follows',
  }
}
