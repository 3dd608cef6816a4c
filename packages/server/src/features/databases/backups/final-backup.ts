import { backupRefusal } from '@bey/contract'

import type { Db } from '../../../platform/db/database.ts'
import type { StepDefinition, WorkflowDefinition } from '../../workflows/definition/definition.ts'
import { findTarget } from '../backup-targets/target-rows.ts'
import type { DatabaseRow } from '../store.ts'
import { backupInRun } from './backup-in-run.ts'
import type { BackupParts } from './backup-parts.ts'
import { findPolicy } from './policy.ts'

export const finalBackupStep = 'final_backup'

/** A step of a run that backs its database up, and what the moves of the run mean for the backup. */
export type BackupStep = { step: StepDefinition; onMove: NonNullable<WorkflowDefinition['onMove']> }

/** Whether a deletion can begin with a backup, and whether it does unless told otherwise. */
export async function finalBackupChoice(db: Db, row: DatabaseRow) {
  const { organizationId, id } = row
  const { targetId, retentionDays } = await findPolicy(db, organizationId, id)
  const refusal = backupRefusal(row) ?? null
  const target = targetId === null ? undefined : await findTarget(db, organizationId, targetId)
  return {
    refusal,
    isDefault: refusal === null && targetId !== null,
    target: target?.name ?? null,
    retentionDays,
  }
}

/**
 * The first step of a deletion: backs the database up where its run was asked to. `steps` are those of a backup, each of which
 * looks at what is there first.
 */
export function finalBackup(parts: BackupParts, steps: readonly StepDefinition[]): BackupStep {
  const backup = backupInRun(parts, steps, 'before_delete')
  return {
    step: {
      key: finalBackupStep,
      name: 'Back up one last time',
      type: 'database',
      guarantee: 'at_least_once_keyed',
      async execute(context) {
        if (context.run.input['finalBackup'] !== true) {
          context.log('No final backup was asked for.')
          return undefined
        }
        return { backupId: await backup.backUp(context) }
      },
    },

    async onMove(db, move) {
      if (move.run.input['finalBackup'] === true) await backup.onMove(db, move)
    },
  }
}
