import type { ClusterBackupMethod } from '@bey/contract'

import { act, type Member } from '../../../platform/act.ts'
import { AppError } from '../../../platform/errors.ts'
import { findPolicy, storePolicy } from '../backups/policy.ts'
import { requireCron } from '../backups/schedule-times.ts'
import { databaseTarget, existing } from '../present.ts'
import type { DatabaseServiceParts } from '../service.ts'
import { lockDatabase } from '../store.ts'
import { methodOf, type ScheduleObject, schedulesPath, whatToBackUp } from './backup-objects.ts'
import { asCluster, type ClusterObject, clusterPath } from './cluster-object.ts'
import { openCluster, requireAnswer } from './cluster-rights.ts'
import type { PersonCall } from './clusters.ts'
import type { OnCluster } from './on-cluster.ts'

/** Of the ScheduledBackup that Bey writes for a Cluster. */
export const scheduleName = (cluster: string) => `${cluster}-bey`

/** A schedule of five fields as CloudNativePG reads it, whose first field is of seconds. */
const withSeconds = (cron: string) => `0 ${cron}`

/** The ScheduledBackup for a schedule of five fields. It is deleted together with its Cluster. */
function scheduleManifest(object: ClusterObject, method: ClusterBackupMethod, cron: string) {
  const { name = '', namespace, uid } = object.metadata ?? {}
  return {
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'ScheduledBackup',
    metadata: {
      name: scheduleName(name),
      namespace,
      labels: { 'app.kubernetes.io/managed-by': 'bey' },
      ownerReferences: [{ apiVersion: 'postgresql.cnpg.io/v1', kind: 'Cluster', name, uid }],
    },
    spec: { ...whatToBackUp(object, method), schedule: withSeconds(cron), suspend: false },
  }
}

/** Writes the ScheduledBackup for a schedule of five fields, over what is there, and answers what the cluster says. */
export function applySchedule(
  call: PersonCall,
  object: ClusterObject,
  method: ClusterBackupMethod,
  cron: string,
) {
  const body = scheduleManifest(object, method, cron)
  const path = schedulesPath(body.metadata.namespace ?? '', body.metadata.name)
  return call('PATCH', `${path}?fieldManager=bey&force=true`, {
    body,
    contentType: 'application/apply-patch+yaml',
  })
}

/** In what the ScheduledBackup in the cluster differs from the schedule that is set in Bey, as a sentence; null where it does not. */
export function scheduleDrift(
  object: ClusterObject,
  cron: string | null,
  found: ScheduleObject | undefined,
): string | null {
  const name = scheduleName(object.metadata?.name ?? '')
  if (cron === null) {
    return found === undefined
      ? null
      : `The ScheduledBackup "${name}" is in the cluster, and no schedule is set here.`
  }
  if (found === undefined) {
    return `The ScheduledBackup "${name}" is gone from the cluster: no backup is made by this schedule.`
  }
  const { schedule = '', suspend, method } = found.spec ?? {}
  if (schedule !== withSeconds(cron)) {
    return `The ScheduledBackup "${name}" says "${schedule}" in the cluster instead of "${withSeconds(cron)}".`
  }
  if (suspend === true)
    return `The ScheduledBackup "${name}" is suspended in the cluster: it makes no backup.`
  const wanted = methodOf(object)
  return wanted === null || method === wanted
    ? null
    : `The ScheduledBackup "${name}" backs up by ${method ?? 'no method'}, and its Cluster names ${wanted} by now.`
}

/**
 * Sets the schedule of five fields, in UTC, by which CloudNativePG backs a database up; null removes it. The cluster gets
 * it first, in the name of the caller: a failure in between is shown as a difference.
 */
export async function setClusterSchedule(
  { database, providers }: Pick<DatabaseServiceParts, 'database' | 'providers'>,
  row: OnCluster,
  cron: string | null,
  caller: Member,
) {
  requireCron(cron)
  const { organizationId, id } = row
  const { namespace, name } = row.cnpg
  const needed =
    cron === null ? (['kubernetes.write', 'kubernetes.delete'] as const) : (['kubernetes.write'] as const)
  const { cluster, call } = await openCluster(providers.cnpg.clusters, caller, row.clusterId, needed)
  const answer = await call('GET', clusterPath(namespace, name))
  requireAnswer(answer, cluster, `The Cluster "${name}" in the namespace "${namespace}"`)
  const object = asCluster(answer.body)
  const path = schedulesPath(namespace, scheduleName(name))
  const what = `The ScheduledBackup "${scheduleName(name)}"`
  if (cron === null) {
    const removed = await call('DELETE', path)
    if (removed.status !== 404) requireAnswer(removed, cluster, what)
  } else {
    const method = methodOf(object)
    if (method === null) {
      throw new AppError(
        'conflict',
        `The Cluster "${name}" names no store and no plugin for backups. Name one first.`,
      )
    }
    requireAnswer(await applySchedule(call, object, method, cron), cluster, what)
  }
  await database.withTenant(organizationId, async (db) => {
    const locked = existing(await lockDatabase(db, organizationId, id))
    const { updatedAt: _at, ...before } = await findPolicy(db, organizationId, id)
    // The operator keeps the time, whether Bey runs or not.
    const policy = { ...before, schedule: cron, nextBackupAt: null, version: before.version + 1 }
    await storePolicy(db, organizationId, id, policy)
    await act(db, caller, {
      action: 'database.backup_policy',
      class: 'update',
      target: databaseTarget(locked),
      diff: { schedule: { from: before.schedule, to: cron } },
      event: { type: 'DATABASE_BACKUPS_UPDATE', data: { databaseId: id } },
    })
  })
  return { cron, drift: null }
}
