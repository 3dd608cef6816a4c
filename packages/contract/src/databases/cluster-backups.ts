import { z } from 'zod'
import { clusterBackupMethods } from './cluster-rules.ts'
import { kubeName } from './cluster.ts'
import { databaseLimits, databaseNameRule, isValidDatabaseName } from './rules.ts'
import { database, startedRun } from './endpoints.ts'
import { endpoint } from '../base/endpoint.ts'
import { timestamp, uuid } from '../base/schema.ts'

const params = z.object({ id: uuid })
const path = '/api/databases/{id}/cluster-backups'

/** A Backup of CloudNativePG. */
const clusterBackup = z
  .object({
    name: z.string(),
    method: z.enum(clusterBackupMethods),
    /** In the words of CloudNativePG; empty while its operator has said nothing. */
    phase: z.string(),
    /** Why it failed, in the operator's words; null where it did not. */
    error: z.string().nullable(),
    startedAt: timestamp.nullable(),
    stoppedAt: timestamp.nullable(),
    /** The ScheduledBackup that made it; null for one that was asked for. */
    scheduledBy: z.string().nullable(),
    /** Why nothing can be restored from it; null where it can. */
    restoreRefusal: z.string().nullable(),
  })
  .meta({ id: 'ClusterBackup' })
export type ClusterBackup = z.infer<typeof clusterBackup>

const schedule = z.object({
  name: z.string(),
  /** Six fields, the first one of seconds. */
  schedule: z.string(),
  isSuspended: z.boolean(),
  nextAt: timestamp.nullable(),
  lastAt: timestamp.nullable(),
})

/** The schedule that Bey writes into the cluster as a ScheduledBackup. */
const ownSchedule = z
  .object({
    /** Five fields as in crontab, in UTC; null where none is set. */
    cron: z.string().nullable(),
    /** In what the ScheduledBackup in the cluster differs from that, as a sentence; null where it does not. */
    drift: z.string().nullable(),
  })
  .meta({ id: 'DatabaseClusterSchedule' })
export type DatabaseClusterSchedule = z.infer<typeof ownSchedule>

const errors = ['not_found', 'conflict', 'forbidden', 'cluster_unreachable'] as const

export const databaseClusterBackupEndpoints = {
  'databases.clusterBackups.list': endpoint({
    method: 'GET',
    path,
    summary: 'Backups and ScheduledBackups that CloudNativePG has of a database, and what can be restored',
    access: 'databases.read',
    params,
    response: z.object({
      schedule: ownSchedule,
      /** Where they go, in words; null where its Cluster names nothing. */
      store: z.string().nullable(),
      /** How a new one is made; null where its Cluster names nothing for that. */
      method: z.enum(clusterBackupMethods).nullable(),
      /** The earliest moment that can be restored, as the operator says; null where it says none. */
      recoverableFrom: timestamp.nullable(),
      /** Whether changes are archived; null where the operator does not say. */
      isArchiving: z.boolean().nullable(),
      /** What the operator says against its archive; null where nothing. */
      archiveProblem: z.string().nullable(),
      backups: z.array(clusterBackup).max(200),
      schedules: z.array(schedule).max(50),
    }),
    errors,
  }),
  'databases.clusterBackups.create': endpoint({
    method: 'POST',
    path,
    summary: 'Ask CloudNativePG for a backup of a database, and wait for it by a run',
    access: 'databases.backup',
    params,
    response: startedRun,
    status: 202,
    errors,
    operation: { read: 'workflows.run' },
  }),
  'databases.clusterBackups.setSchedule': endpoint({
    method: 'PUT',
    path: `${path}/schedule`,
    summary:
      'Set when CloudNativePG backs a database up: Bey writes a ScheduledBackup into the cluster, or removes it',
    access: 'databases.backup',
    params,
    body: z.strictObject({
      /** Five fields as in crontab, in UTC; null: only when asked for. */
      schedule: z.string().trim().min(1).max(200).nullable(),
    }),
    response: ownSchedule,
    errors: [...errors, 'invalid_request'],
  }),
  'databases.clusterBackups.restore': endpoint({
    method: 'POST',
    path: '/api/databases/{id}/cluster-restore',
    summary: 'Make a new Cluster of CloudNativePG of the backups of a database; that database stays as it is',
    access: 'databases.restore',
    params,
    body: z
      .strictObject({
        /** Of the new database and its Cluster. */
        name: z.string().refine(isValidDatabaseName, databaseNameRule),
        description: z.string().trim().max(databaseLimits.description).default(''),
        /** The Backup to begin with; the newest before the moment unless given. */
        backup: kubeName.optional(),
        /** The moment that comes back; as late as possible unless given. */
        targetTime: timestamp.optional(),
      })
      .refine(
        ({ backup, targetTime }) => backup !== undefined || targetTime !== undefined,
        'Name a backup or a moment.',
      ),
    response: database,
    status: 201,
    errors: [...errors, 'name_taken', 'limit_reached'],
    operation: { read: 'databases.get' },
  }),
} as const
