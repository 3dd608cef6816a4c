import type { StepDefinition } from '../../workflows/definition/definition.ts'
import { becomeAvailable, databaseIdOf } from '../run-moves.ts'
import { backupInRun } from './backup-in-run.ts'
import type { BackupParts } from './backup-parts.ts'
import type { BackupStep } from './final-backup.ts'
import { findPolicy } from './policy.ts'

/**
 * The last step of a creation: the database is available, and is backed up where its policy has a schedule, so that what the
 * policy promises is true when the run is completed. A backup that fails leaves the database available.
 */
export function firstBackup(parts: BackupParts, steps: readonly StepDefinition[]): BackupStep {
  const { database, clock } = parts
  const backup = backupInRun(parts, steps, 'schedule')
  return {
    step: {
      key: 'first_backup',
      name: 'Back up for the first time',
      type: 'database',
      guarantee: 'at_least_once_keyed',
      async execute(context) {
        const { organizationId } = context.run
        const id = databaseIdOf(context.run)
        const { schedule } = await database.readTenant(organizationId, (db) =>
          findPolicy(db, organizationId, id),
        )
        if (schedule === null) {
          context.log('Its policy has no schedule: it is backed up when somebody asks.')
          return undefined
        }
        const backupId = await backup.backUp(context, (db) => becomeAvailable(db, clock, context.run))
        return { backupId }
      },
    },
    onMove: backup.onMove,
  }
}
