import type { ParsedInput } from '@bey/contract'

import { act, type Member } from '../../../platform/act.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'
import { insertNewDatabase, orNameTaken } from '../new-database.ts'
import { startDatabaseRun } from '../parts.ts'
import { databaseTarget, existing, presentDatabase } from '../present.ts'
import type { DatabaseServiceParts } from '../service.ts'
import { findDatabase, lockDatabase } from '../store.ts'
import { orAdopted } from './adopt.ts'
import {
  type BackupObject,
  backupsPath,
  instant,
  itemsOf,
  methodOf,
  presentBackup,
  recoverableFrom,
  recoveryOf,
  type ScheduleObject,
  schedulesPath,
} from './backup-objects.ts'
import { findPolicy } from '../backups/policy.ts'
import { scheduleDrift, scheduleName, setClusterSchedule } from './backup-schedule.ts'
import { asCluster, clusterPath, messageOf, observe } from './cluster-object.ts'
import { openCluster, requireAnswer } from './cluster-rights.ts'
import { onCluster, type OnCluster } from './on-cluster.ts'

type Names = `databases.clusterBackups.${'list' | 'create' | 'restore' | 'setSchedule'}`
type Restore = ParsedInput<'databases.clusterBackups.restore'>['body']

const needed = ['kubernetes.write', 'kubernetes.secrets'] as const

/** Backups that CloudNativePG makes of databases, and new Clusters that are made of them. */
export function clusterBackupHandlers(parts: DatabaseServiceParts): Handlers<Names> {
  const { database, providers, clock } = parts
  const { clusters } = providers.cnpg

  const find = (organizationId: number, id: string): Promise<OnCluster> =>
    database.readTenant(organizationId, async (db) =>
      onCluster(existing(await findDatabase(db, organizationId, id))),
    )

  /** What Bey's own account reads; throws AppError where the cluster does not answer or refuses. */
  async function reader({ organizationId, clusterId }: OnCluster) {
    const read = await clusters.asBey(organizationId, clusterId)
    return async (path: string, what: string): Promise<unknown> => {
      const answer = await read(path).catch((error: unknown) => {
        if (!(error instanceof ConnectionProblem)) throw error
        throw new AppError('cluster_unreachable', error.message, { cause: error })
      })
      if (answer.status < 300) return answer.body
      throw new AppError(
        answer.status === 404 ? 'not_found' : 'forbidden',
        `The account that Bey uses in the cluster cannot read ${what}: ${messageOf(answer)}.`,
      )
    }
  }

  async function list(row: OnCluster) {
    const { namespace, name } = row.cnpg
    const read = await reader(row)
    const object = asCluster(await read(clusterPath(namespace, name), `the Cluster "${name}"`))
    const [backups, schedules, policy] = await Promise.all([
      read(backupsPath(namespace), 'Backups').then((body) => itemsOf<BackupObject>(body)),
      read(schedulesPath(namespace), 'ScheduledBackups').then((body) => itemsOf<ScheduleObject>(body)),
      database.readTenant(row.organizationId, (db) => findPolicy(db, row.organizationId, row.id)),
    ])
    const archiving = object.status?.conditions?.find(({ type }) => type === 'ContinuousArchiving')
    const isMine = ({ spec }: { spec?: { cluster?: { name?: string } } }) => spec?.cluster?.name === name
    const ours = schedules.find(({ metadata }) => metadata?.name === scheduleName(name))
    return {
      schedule: { cron: policy.schedule, drift: scheduleDrift(object, policy.schedule, ours) },
      store: observe(object, clock.now()).backups ?? null,
      method: methodOf(object),
      recoverableFrom: recoverableFrom(object),
      isArchiving: archiving === undefined ? null : archiving.status === 'True',
      archiveProblem: archiving?.status === 'False' ? (archiving.message ?? null) : null,
      backups: backups
        .filter(isMine)
        .map(presentBackup)
        .toSorted((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? 1 : -1))
        .slice(0, 200),
      schedules: schedules
        .filter(isMine)
        .map(({ metadata, spec, status }) => ({
          name: metadata?.name ?? '',
          schedule: spec?.schedule ?? '',
          isSuspended: spec?.suspend === true,
          nextAt: instant(status?.nextScheduleTime),
          lastAt: instant(status?.lastScheduleTime),
        }))
        .slice(0, 50),
    }
  }

  async function restore(row: OnCluster, body: Restore, caller: Member) {
    const { organizationId } = caller
    const { name, description, backup: backupName, targetTime } = body
    const { namespace, name: source } = row.cnpg
    // In the name of the caller, so that nobody gets through Bey what the cluster does not let them see.
    const { cluster, call } = await openCluster(clusters, caller, row.clusterId, needed)
    const answer = await call('GET', clusterPath(namespace, source))
    requireAnswer(answer, cluster, `The Cluster "${source}" in the namespace "${namespace}"`)
    const object = asCluster(answer.body)
    const backup = backupName === undefined ? undefined : await readBackup(backupName)
    const refusal = backup && presentBackup(backup).restoreRefusal
    if (refusal)
      throw new AppError('conflict', `The Backup "${backupName ?? ''}" cannot be restored: ${refusal}`)
    const recovery = recoveryOf(object, backup, targetTime)
    if ('refusal' in recovery) throw new AppError('conflict', `"${row.name}": ${recovery.refusal}`)
    return orAdopted(name, () => orNameTaken(name, () => database.withTenant(organizationId, insert)))

    async function readBackup(wanted: string): Promise<BackupObject> {
      const found = await call('GET', backupsPath(namespace, wanted))
      requireAnswer(found, cluster, `The Backup "${wanted}" in the namespace "${namespace}"`)
      const read = found.body as BackupObject
      if (read.spec?.cluster?.name === source) return read
      throw new AppError('not_found', `The Cluster "${source}" has no Backup "${wanted}".`)
    }

    async function insert(db: Db) {
      const { spec = {} } = object
      const wanted = {
        instances: 1,
        storage: spec.storage?.size ?? '10Gi',
        storageClass: spec.storage?.storageClass ?? null,
        imageName: spec.imageName ?? object.status?.image ?? null,
        parameters: spec.postgresql?.parameters ?? {},
        recovery: recovery as Exclude<typeof recovery, { refusal: string }>,
      }
      const values = {
        name,
        description,
        provider: 'cnpg',
        status: 'pending',
        databaseName: row.databaseName,
        username: row.username,
        tls: 'require',
        host: `${name}-rw.${namespace}.svc`,
        port: 5_432,
        clusterId: row.clusterId,
        cnpg: { namespace, name, isAdopted: false, wanted, observed: null },
      } as const
      const id = await insertNewDatabase(parts.credentials, db, values, null, caller)
      const made = existing(await findDatabase(db, organizationId, id))
      const run = await startDatabaseRun(parts, db, made, 'database.cluster_create', caller)
      await act(db, caller, {
        action: 'database.restore',
        class: 'create',
        diff: {
          from: row.name,
          ...(backupName !== undefined && { backup: backupName }),
          ...(targetTime !== undefined && { targetTime }),
        },
        target: databaseTarget(made),
        runId: run.runId,
      })
      return keepReply(db, presentDatabase(existing(await findDatabase(db, organizationId, id))))
    }
  }

  return {
    'databases.clusterBackups.list': async ({ caller, params }) =>
      list(await find(caller.organizationId, params.id)),

    'databases.clusterBackups.create': async ({ caller, params: { id } }) => {
      const { organizationId } = caller
      const row = await find(organizationId, id)
      await openCluster(clusters, caller, row.clusterId, ['kubernetes.write'])
      return database.withTenant(organizationId, async (db) => {
        const locked = onCluster(existing(await lockDatabase(db, organizationId, id)))
        if (locked.status !== 'available' && locked.status !== 'degraded') {
          throw new AppError(
            'conflict',
            `The database "${row.name}" is ${row.status}; a backup needs a server that answers.`,
          )
        }
        const run = await startDatabaseRun(parts, db, locked, 'database.cluster_backup', caller)
        await act(db, caller, {
          action: 'database.backup',
          class: 'execute',
          target: databaseTarget(locked),
          runId: run.runId,
        })
        const message = `CloudNativePG is asked for a backup of "${locked.name}".`
        return keepReply(db, { databaseId: id, ...run, status: 'queued', message })
      })
    },

    'databases.clusterBackups.setSchedule': async ({ caller, params, body }) =>
      setClusterSchedule(parts, await find(caller.organizationId, params.id), body.schedule, caller),

    'databases.clusterBackups.restore': async ({ caller, params, body }) =>
      restore(await find(caller.organizationId, params.id), body, caller),
  }
}
