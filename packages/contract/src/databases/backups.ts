import { z } from 'zod'
import { databasePlanIds } from './rules.ts'
import { backupKinds, backupLimits, backupStatuses, backupTriggers } from './backup-rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { actor, pageQuery, paged, timestamp, uuid } from '../base/schema.ts'

const count = z.number().int().min(0)
const params = z.object({ id: uuid })
const backupParams = params.extend({ backupId: uuid })
const path = '/api/databases/{id}'

export const databaseBackup = z
  .object({
    id: uuid,
    databaseId: uuid,
    kind: z.enum(backupKinds),
    trigger: z.enum(backupTriggers),
    status: z.enum(backupStatuses),
    /** Why it failed, as a sentence; null where it did not. */
    failure: z.string().nullable(),
    /** Where it is kept, for people. Null until it is stored, and after it is deleted. */
    place: z.string().nullable(),
    /** The target that keeps it; null: the machine of Bey. */
    targetId: uuid.nullable(),
    /** Bytes of the files that were copied, and what they take in the store; null until they are stored. */
    sizeBytes: count.nullable(),
    storedBytes: count.nullable(),
    /** SHA-256 of what was stored before encryption, in hex. */
    sha256: z.string().nullable(),
    /** Where in the WAL it begins and ends, such as `0/3000028`. */
    startLsn: z.string().nullable(),
    stopLsn: z.string().nullable(),
    timeline: count.nullable(),
    /** The version of PostgreSQL that made the files, such as `18.4`. */
    version: z.string().nullable(),
    startedAt: timestamp.nullable(),
    /** When its copy ended: the earliest moment that can be restored from it. */
    consistentAt: timestamp.nullable(),
    /** When it was completed or failed. */
    finishedAt: timestamp.nullable(),
    /** When it is removed; null while it is locked or not completed. */
    expiresAt: timestamp.nullable(),
    /** It is kept until it is unlocked. */
    isLocked: z.boolean(),
    /** When it was last restored and its checks passed; null while that never happened. */
    lastVerifiedAt: timestamp.nullable(),
    /** How long its last verification took until the database answered, in ms. */
    rtoMs: count.nullable(),
    run: z.object({ workflowId: uuid, runId: uuid }).nullable(),
    createdBy: actor,
    createdAt: timestamp,
  })
  .meta({ id: 'DatabaseBackup' })
export type DatabaseBackup = z.infer<typeof databaseBackup>

const range = z.object({ from: timestamp, to: timestamp })

/** The moments to which a database can be restored. */
const window = z
  .object({
    /** Oldest first. */
    ranges: z.array(range).max(1_000),
    gaps: z.array(range).max(1_000),
    /** How long it takes to be back at any moment of the last 14 days. */
    recovery: z.object({
      /** From drills alone; null while none has restored a moment after a base backup. */
      measured: z
        .object({
          drills: count,
          /** Median of what a drill took without its WAL, in ms. */
          baseMs: count,
          walBytesPerSecond: z.number().min(0),
        })
        .nullable(),
      /** For each base backup the moments that are restored from it, and the WAL that each replays. */
      teeth: z
        .array(
          z.object({
            backupId: uuid,
            points: z.array(z.object({ at: timestamp, walBytes: count })).max(1_000),
          }),
        )
        .max(1_000),
    }),
    archive: z.object({
      /** Whether its server archives its WAL. False: it has to be restarted once, as `problem` says. */
      isOn: z.boolean(),
      /** Everything that was committed until then is in the store; null while nothing is. */
      coveredUntil: timestamp.nullable(),
      /** The newest segment in the store, and when it got there. */
      lastSegment: z.string().nullable(),
      lastSegmentAt: timestamp.nullable(),
      /** Bytes of segments that wait on the machine for the store. */
      spooledBytes: count,
      /** Bytes of all segments in the store. */
      storedBytes: count,
      /** Why nothing is archived at the moment, as a sentence. */
      problem: z.string().nullable(),
    }),
  })
  .meta({ id: 'DatabaseRecoverableWindow' })
export type DatabaseRecoverableWindow = z.infer<typeof window>

const cron = z.string().trim().min(1).max(200)

/** A statement that reads. It passes where it answers a row whose first value is not false and not null. */
export const databaseCheck = z.strictObject({
  name: z.string().trim().min(1).max(backupLimits.checkName),
  sql: z.string().trim().min(1).max(backupLimits.checkSql),
})
export type DatabaseCheck = z.infer<typeof databaseCheck>

/** Within how many minutes the database is promised to be back after a restore begins; null: nothing is promised. */
const recoveryTimeMinutes = z.number().int().min(1).max(backupLimits.recoveryTimeMinutes).nullable()

const policyFields = {
  /** When a base backup is made, in five fields as in crontab, in UTC; null: only when asked for. */
  schedule: cron.nullable(),
  /** Days that backups and their WAL are kept. */
  retentionDays: z.number().int().min(1).max(backupLimits.retentionDays),
  /** Where backups go; null: the machine of Bey. */
  targetId: uuid.nullable(),
  /** Whether the WAL after a backup is kept, so that any moment can be restored. */
  pitr: z.boolean(),
  /** When a backup is restored into a throw-away server to prove it; null: never. */
  drillSchedule: cron.nullable(),
  /** What a restored copy has to answer. */
  checks: z.array(databaseCheck).max(backupLimits.checks),
}

/** What is decided of the backups of a database that is being created. */
export const newBackupPolicy = z
  .strictObject({ ...policyFields, recoveryTimeMinutes: recoveryTimeMinutes.default(null) })
  .meta({ id: 'NewBackupPolicy' })

const policy = z
  .object({
    ...policyFields,
    recoveryTimeMinutes,
    /** Grows with each change; 0 while nobody changed it. */
    version: count,
    updatedAt: timestamp.nullable(),
    /** When the next scheduled backup and drill begin; null where there is no schedule. */
    nextBackupAt: timestamp.nullable(),
    nextDrillAt: timestamp.nullable(),
    /** Why the last scheduled one was not made, or was late, as a sentence; null where it was on time. */
    backupNote: z.string().nullable(),
    drillNote: z.string().nullable(),
  })
  .meta({ id: 'DatabaseBackupPolicy' })
export type DatabaseBackupPolicy = z.infer<typeof policy>

/** A deleted database that can still be restored. */
const deletedDatabase = z.object({
  id: uuid,
  name: z.string(),
  plan: z.enum(databasePlanIds).nullable(),
  deletedAt: timestamp,
  backups: z.number().int(),
  storedBytes: z.number(),
  /** The last moment that can be restored; null where none can. */
  restorableUntil: timestamp.nullable(),
  /** When its newest backup expires; null while a backup of it is locked. */
  expiresAt: timestamp.nullable(),
})

export const databaseBackupEndpoints = {
  'databases.deletedBackups': endpoint({
    method: 'GET',
    path: '/api/databases/deleted-backups',
    summary: 'Deleted databases of which backups are kept, the last deleted first',
    access: 'databases.read',
    query: pageQuery,
    response: paged('databases', deletedDatabase),
  }),
  'databases.backups.list': endpoint({
    method: 'GET',
    path: `${path}/backups`,
    summary: 'Backups of a database, the newest first; deleted ones only when asked for by status',
    access: 'databases.read',
    params,
    query: pageQuery.omit({ order: true }).extend({ status: z.enum(backupStatuses).optional() }),
    response: paged('backups', databaseBackup).extend({
      /** Of all backups that are kept, whatever is filtered. */
      summary: z.object({ total: count, storedBytes: count }),
    }),
    errors: ['not_found'],
  }),
  'databases.backups.get': endpoint({
    method: 'GET',
    path: `${path}/backups/{backupId}`,
    summary: 'One backup of a database',
    access: 'databases.read',
    params: backupParams,
    response: databaseBackup,
    errors: ['not_found'],
  }),
  'databases.backups.lock': endpoint({
    method: 'POST',
    path: `${path}/backups/{backupId}/lock`,
    summary: 'Keep a backup until it is unlocked',
    access: 'databases.backup',
    params: backupParams,
    response: databaseBackup,
    errors: ['not_found', 'conflict'],
  }),
  'databases.backups.unlock': endpoint({
    method: 'POST',
    path: `${path}/backups/{backupId}/unlock`,
    summary: 'Let a backup end with its retention again',
    access: 'databases.backup',
    params: backupParams,
    response: databaseBackup,
    errors: ['not_found', 'conflict'],
  }),
  'databases.window': endpoint({
    method: 'GET',
    path: `${path}/window`,
    summary: 'The moments to which a database can be restored, with the gaps between them',
    access: 'databases.read',
    params,
    response: window,
    errors: ['not_found'],
  }),
  'databases.backupPolicy.get': endpoint({
    method: 'GET',
    path: `${path}/backup-policy`,
    summary: 'When a database is backed up, and how long backups are kept',
    access: 'databases.read',
    params,
    response: policy,
    errors: ['not_found'],
  }),
  'databases.backupPolicy.update': endpoint({
    method: 'PUT',
    path: `${path}/backup-policy`,
    summary: 'Change when a database is backed up and how long backups are kept',
    access: 'databases.backup',
    params,
    body: z.strictObject({
      ...policyFields,
      recoveryTimeMinutes: recoveryTimeMinutes.default(null),
      /** Refused with 409 when the policy has another version by now. */
      expectedVersion: count.optional(),
    }),
    response: policy,
    errors: ['not_found', 'conflict', 'forbidden', 'cluster_unreachable'],
  }),
} as const

/** @public What works on the files of a backup. */
export const databaseBackupActEndpoints = {
  'databases.backups.create': endpoint({
    method: 'POST',
    path: `${path}/backups`,
    summary: 'Back a database up now; it goes on meanwhile',
    access: 'databases.backup',
    params,
    response: databaseBackup,
    status: 202,
    errors: ['not_found', 'conflict', 'limit_reached'],
    operation: { read: 'databases.backups.get' },
  }),
  'databases.backups.delete': endpoint({
    method: 'DELETE',
    path: `${path}/backups/{backupId}`,
    summary: 'Delete a backup that is not locked; what only it could restore is lost',
    access: 'databases.backup',
    params: backupParams,
    response: databaseBackup,
    errors: ['not_found', 'conflict'],
  }),
} as const
