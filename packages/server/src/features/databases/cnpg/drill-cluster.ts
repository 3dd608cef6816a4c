import { and, eq, inArray, isNotNull } from 'drizzle-orm'

import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { CnpgRecovery } from '../../../tables/databases.ts'
import { databaseRestores, type DrillCluster } from '../../../tables/database-restores.ts'
import { updateRestore } from '../backups/restore-rows.ts'
import type { DatabaseRow } from '../store.ts'
import { type ClusterObject, clusterPath, messageOf } from './cluster-object.ts'
import type { ClusterStepParts } from './cluster-steps.ts'
import type { DatabaseClusters, PersonCall } from './clusters.ts'
import { clusterManifest, drillLabel, isOfDatabase } from './manifest.ts'
import { readCluster } from './wait-for-cluster.ts'

/** CloudNativePG takes names of Clusters of up to 50 characters. */
const nameLimit = 50

/** Of the nth drill of a Cluster. */
export function drillClusterName(cluster: string, n: number): string {
  const suffix = `-drill-${n}`
  return `${cluster.slice(0, nameLimit - suffix.length).replace(/-+$/, '')}${suffix}`
}

/**
 * The throw-away Cluster of a drill: one instance with the volume, the image and the parameters of the source. It names no
 * store of its own, so that it writes over nobody's archive, and is owned by the source, with which it is deleted at the
 * latest.
 */
export function drillManifest(
  drillId: string,
  name: string,
  row: DatabaseRow,
  source: ClusterObject,
  recovery: CnpgRecovery,
) {
  const { metadata = {}, spec = {}, status = {} } = source
  const manifest = clusterManifest({
    id: drillId,
    name,
    namespace: metadata.namespace ?? '',
    databaseName: row.databaseName,
    username: row.username,
    wanted: {
      instances: 1,
      storage: spec.storage?.size ?? '10Gi',
      storageClass: spec.storage?.storageClass ?? null,
      imageName: spec.imageName ?? status.image ?? null,
      parameters: spec.postgresql?.parameters ?? {},
      recovery,
    },
  })
  const owner = {
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'Cluster',
    name: metadata.name,
    uid: metadata.uid,
  }
  const { labels } = manifest.metadata
  return {
    ...manifest,
    metadata: {
      ...manifest.metadata,
      labels: { ...labels, [drillLabel]: row.id },
      ownerReferences: [owner],
    },
  }
}

/**
 * Asks for the deletion of the Cluster of a drill; true once there is none. Somebody else's of the same name is left alone.
 * Throws StepFailure and ConnectionProblem.
 */
export async function deleteDrillCluster(
  call: PersonCall,
  drillId: string,
  { namespace, name }: Pick<DrillCluster, 'namespace' | 'name'>,
): Promise<boolean> {
  const object = await readCluster({ namespace, name, call })
  if (object === undefined || !isOfDatabase(object, drillId)) return true
  if (object.metadata?.deletionTimestamp !== undefined) return false
  const answer = await call('DELETE', clusterPath(namespace, name), {
    body: { propagationPolicy: 'Foreground', preconditions: { uid: object.metadata?.uid } },
  })
  if (answer.status === 404) return true
  if (answer.status < 300) return false
  throw new Error(`The cluster refuses to delete the Cluster "${name}": ${messageOf(answer)}.`)
}

type Options = {
  database: Database
  providers: { cnpg: { clusters: DatabaseClusters } }
  actorOf: ClusterStepParts['actorOf']
  log: Log
}

/**
 * Removes the Clusters of drills whose run ended before it did, in the name of whoever they were made for. Never throws:
 * the next call tries again.
 */
export function createDrillClusterCleanup({ database, providers, actorOf, log }: Options) {
  return async function removeDrillClusters(organizationId: number, databaseId: string): Promise<void> {
    try {
      const { id, runId, cluster, status, kind } = databaseRestores
      const left = await database.readTenant(organizationId, (db) =>
        db
          .select({ id, runId, cluster })
          .from(databaseRestores)
          .where(
            and(
              eq(databaseRestores.organizationId, organizationId),
              eq(databaseRestores.databaseId, databaseId),
              eq(kind, 'drill'),
              inArray(status, ['completed', 'failed', 'cancelled']),
              isNotNull(cluster),
            ),
          ),
      )
      for (const drill of left) if (drill.cluster !== null) await remove({ ...drill, cluster: drill.cluster })
    } catch (error) {
      log.warn({ err: error, databaseId }, 'The Cluster of a drill was not removed; tried again later')
    }

    async function remove(drill: { id: string; runId: string | null; cluster: DrillCluster }): Promise<void> {
      const { clusterId, userId } = drill.cluster
      const { user, role } = await actorOf({ id: drill.runId ?? '', organizationId, createdBy: userId })
      const call = await providers.cnpg.clusters.asPerson(organizationId, clusterId, {
        email: user.email,
        role,
      })
      if (!(await deleteDrillCluster(call, drill.id, drill.cluster))) return
      await database.withTenant(organizationId, (db) =>
        updateRestore(db, organizationId, drill.id, { cluster: null }),
      )
    }
  }
}
