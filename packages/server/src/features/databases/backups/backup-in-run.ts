import type { BackupTrigger } from '@bey/contract'
import { and, eq } from 'drizzle-orm'

import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { databaseBackups } from '../../../tables/database-backups.ts'
import type {
  RunMove,
  StepContext,
  StepDefinition,
  WorkflowDefinition,
} from '../../workflows/definition/definition.ts'
import { databaseIdOf } from '../run-moves.ts'
import { announceBackup, type BackupParts } from './backup-parts.ts'
import { onBackupMove } from './backup-moves.ts'
import { hasBackupUnderWay } from './backup-rows.ts'
import { findPolicy } from './policy.ts'

export type BackupInRun = {
  /** Backs the database of the run up and answers the id of the backup. `begun`: what is written together with its row. */
  backUp(context: StepContext, begun?: (db: Db) => Promise<unknown>): Promise<string>
  onMove: NonNullable<WorkflowDefinition['onMove']>
}

/**
 * A base backup as a part of another run, one a run. `steps` are those of a backup, each of which looks at what is there
 * first.
 */
export function backupInRun(
  { database, clock }: BackupParts,
  steps: readonly StepDefinition[],
  trigger: BackupTrigger,
): BackupInRun {
  const moveBackupOfRun = onBackupMove(clock)

  /** The backup of this run, which is made once nothing else backs the database up. */
  async function backupIdFor(context: StepContext, begun?: (db: Db) => Promise<unknown>): Promise<string> {
    const { organizationId, id: runId, createdBy } = context.run
    const databaseId = databaseIdOf(context.run)
    for (;;) {
      const id = await database.withTenant(organizationId, async (db) => {
        const known = await findOfRun(db, organizationId, runId)
        if (known !== undefined) return known
        if (await hasBackupUnderWay(db, organizationId, databaseId)) return undefined
        const { targetId } = await findPolicy(db, organizationId, databaseId)
        const values = { id: uuidv7(), kind: 'full', trigger, targetId, runId } as const
        await db.insert(databaseBackups).values({ ...values, organizationId, databaseId, createdBy })
        await announceBackup(db, organizationId, databaseId)
        await begun?.(db)
        return values.id
      })
      if (id !== undefined) return id
      await context.sleep(500)
    }
  }

  return {
    async backUp(context, begun) {
      const backupId = await backupIdFor(context, begun)
      const run = { ...context.run, input: { ...context.run.input, backupId } }
      for (const step of steps) await step.execute({ ...context, run })
      return backupId
    },

    async onMove(db, move) {
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
