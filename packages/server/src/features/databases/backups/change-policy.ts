import type { DatabaseBackupPolicy, ParsedInput } from '@bey/contract'

import { act, type Who } from '../../../platform/act.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { holdTarget } from '../backup-targets/target-rows.ts'
import { databaseTarget } from '../present.ts'
import type { DatabaseRow } from '../store.ts'
import { type BackupPolicy, findPolicy, presentPolicy, storePolicy } from './policy.ts'
import { nextTime, requireCron } from './schedule-times.ts'

/** What people decide of the backups of a database. */
export type WantedPolicy = Omit<ParsedInput<'databases.backupPolicy.update'>['body'], 'expectedVersion'>

/** Throws AppError `invalid_request` for a schedule that never comes, with the field of the form after `prefix`. */
export function requireSchedules({ schedule, drillSchedule }: WantedPolicy, prefix = ''): void {
  requireCron(schedule, `${prefix}schedule`)
  requireCron(drillSchedule, `${prefix}drillSchedule`)
}

/**
 * Changes the policy of a database that is locked, in the caller's transaction. Throws AppError `not_found` for an unknown
 * target, `conflict` where somebody changed it meanwhile or a cluster makes its backups.
 */
export async function changePolicy(
  db: Db,
  owner: DatabaseRow,
  wanted: WantedPolicy,
  { caller, now, expectedVersion, isNew = false }: Change,
): Promise<void> {
  const { organizationId, id } = owner
  const isOnCluster = owner.provider === 'cnpg'
  if (wanted.targetId !== null && !(await holdTarget(db, organizationId, wanted.targetId))) {
    throw new AppError('not_found', 'There is no such backup target in this organization.')
  }
  const before = await findPolicy(db, organizationId, id)
  if (expectedVersion !== undefined && expectedVersion !== before.version) {
    throw new AppError('conflict', 'Somebody changed the policy meanwhile. Load it and change it again.')
  }
  if (isOnCluster && !isNew) requireSameOnCluster(before, wanted)
  await storePolicy(db, organizationId, id, {
    ...wanted,
    version: before.version + 1,
    drillBy: wanted.drillSchedule === null ? null : caller.user.id,
    nextBackupAt: isOnCluster ? null : nextTime(wanted.schedule, now),
    nextDrillAt: nextTime(wanted.drillSchedule, now),
    // What a schedule noted belongs to that schedule.
    backupNote: wanted.schedule === before.schedule ? before.backupNote : null,
    drillNote: wanted.drillSchedule === before.drillSchedule ? before.drillNote : null,
  })
  await act(db, caller, {
    action: 'database.backup_policy',
    class: 'update',
    target: databaseTarget(owner),
    diff: changes(presentPolicy(before), wanted),
    event: { type: 'DATABASE_BACKUPS_UPDATE', data: { databaseId: id } },
  })
}

type Change = {
  caller: Who
  now: Date
  expectedVersion?: number | undefined
  /** It is set together with the database, whose run brings it into effect. */
  isNew?: boolean
}

/** CloudNativePG keeps these parts of a policy as its objects say. Throws AppError `conflict` for a change of one. */
function requireSameOnCluster(before: BackupPolicy, wanted: WantedPolicy): void {
  if (wanted.schedule !== before.schedule) {
    throw new AppError(
      'conflict',
      'CloudNativePG makes the backups of this database by a ScheduledBackup. Change the schedule of that instead.',
    )
  }
  const { targetId, retentionDays, pitr } = before
  if (wanted.targetId !== targetId || wanted.retentionDays !== retentionDays || wanted.pitr !== pitr) {
    throw new AppError(
      'conflict',
      'The Cluster of this database decides where its backups go and how long they are kept. Change its specification instead.',
    )
  }
}

function changes(before: DatabaseBackupPolicy, after: Partial<DatabaseBackupPolicy>) {
  const old: Readonly<Record<string, unknown>> = before
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, to]) =>
      JSON.stringify(old[name]) === JSON.stringify(to) ? [] : [[name, { from: old[name], to }]],
    ),
  )
}
