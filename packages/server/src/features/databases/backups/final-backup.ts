import { backupRefusal } from '@bey/contract'
import { and, eq } from 'drizzle-orm'

import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { databaseBackups } from '../../../tables/database-backups.ts'
import type { RunMove, StepContext, StepDefinition, WorkflowDefinition } from '../../workflows/definition.ts'
import { findTarget } from '../backup-targets/target-rows.ts'
import { databaseIdOf } from '../run-moves.ts'
import type { DatabaseRow } from '../store.ts'
import { announceBackup, type BackupParts } from './backup-parts.ts'
import { onBackupMove } from './backup-moves.ts'
import { hasBackupUnderWay } from './backup-rows.ts'
import { findPolicy } from './policy.ts'

export const finalBackupStep = 'final_backup'

/** What the deletion of a database needs of its backups. */
export type FinalBackup = { step: StepDefinition; onMove: NonNullable<WorkflowDefinition['onMove']> }

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
export function finalBackup(parts: BackupParts, steps: readonly StepDefinition[]): FinalBackup {
  const { database, clock } = parts
  const moveBackupOfRun = onBackupMove(clock)

  /** The backup of this run, which is made once nothing else backs the database up. */
  async function backupIdFor(context: StepContext): Promise<string> {
    const { organizationId, id: runId, createdBy } = context.run
    const databaseId = databaseIdOf(context.run)
    for (;;) {
      const id = await database.withTenant(organizationId, async (db) => {
        const known = await findOfRun(db, organizationId, runId)
        if (known !== undefined) return known
        // Its run was cancelled by the deletion and is about to end.
        if (await hasBackupUnderWay(db, organizationId, databaseId)) return undefined
        const { targetId } = await findPolicy(db, organizationId, databaseId)
        const values = { id: uuidv7(), kind: 'full', trigger: 'before_delete', targetId, runId } as const
        await db.insert(databaseBackups).values({ ...values, organizationId, databaseId, createdBy })
        await announceBackup(db, organizationId, databaseId)
        return values.id
      })
      if (id !== undefined) return id
      await context.sleep(500)
    }
  }

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
        const backupId = await backupIdFor(context)
        const run = { ...context.run, input: { ...context.run.input, backupId } }
        for (const step of steps) await step.execute({ ...context, run })
        return { backupId }
      },
    },

    async onMove(db, move) {
      if (move.run.input['finalBackup'] !== true) return
      const backupId = await findOfRun(db, move.run.organizationId, move.run.id)
      if (backupId !== undefined) await moveBackupOfRun(db, withBackup(move, backupId))
    },
  }
}

async function findOfRun(db: Db, organizationId: number, runId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ id: databaseBackups.id })
    .from(databaseBackups)
    .where(and(eq(databaseBackups.organizationId, organizationId), eq(databaseBackups.runId, runId)))
  return row?.id
}

function withBackup(move: RunMove, backupId: string): RunMove {
  return { ...move, run: { ...move.run, input: { ...move.run.input, backupId } } }
}
