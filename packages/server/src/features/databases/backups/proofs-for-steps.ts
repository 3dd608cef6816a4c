import { restorableStatuses } from '@bey/contract'
import { and, eq, isNull, or, sql } from 'drizzle-orm'

import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { databases } from '../../../tables/databases.ts'
import type { DatabaseProofs, ProofKind } from '../../workflows/steps/ports.ts'
import type { DatabaseParts } from '../parts.ts'
import { existing } from '../present.ts'
import { lockDatabase } from '../store.ts'
import { startBackup } from './backup-acts.ts'
import { findBackup } from './backup-rows.ts'
import { findRestore } from './restore-rows.ts'
import { clusterDrillRights, startDrill } from './start-drill.ts'

/** Backups and drills that steps of workflows begin, each a run of its own. */
export function databaseProofs(parts: {
  database: Database
  workflows: Pick<DatabaseParts['workflows'], 'startRun'>
}): DatabaseProofs {
  return {
    begin: async (kind, id, nameOrId, actor, requireRight) => {
      const { organizationId } = actor
      try {
        if (kind === 'drill') {
          const clusterId = await parts.database.readTenant(organizationId, (db) =>
            findClusterOf(db, organizationId, nameOrId),
          )
          const touched = [{ type: 'cluster', id: String(clusterId) }] as const
          // oxlint-disable-next-line no-await-in-loop -- the first that is lacking is said
          if (clusterId !== null) for (const each of clusterDrillRights) await requireRight(each, touched)
        }
        const runId = await parts.database.withTenant(organizationId, async (db) => {
          const before = await find(db, kind, organizationId, id)
          if (before !== undefined) return before.runId
          const databaseId = await findId(db, organizationId, nameOrId)
          const row = existing(await lockDatabase(db, organizationId, databaseId))
          if (kind === 'backup') await startBackup(parts, db, row, 'manual', actor, id)
          else await startDrill(parts, db, row, actor, id)
          return (await find(db, kind, organizationId, id))?.runId
        })
        return { runId: runId ?? '' }
      } catch (error) {
        if (error instanceof AppError) throw new StepFailure(error.message, { cause: error })
        throw error
      }
    },

    outcome: (kind, organizationId, id) =>
      parts.database.readTenant(organizationId, (db) =>
        kind === 'backup' ? backupOutcome(db, organizationId, id) : drillOutcome(db, organizationId, id),
      ),
  }
}

const find = (db: Db, kind: ProofKind, organizationId: number, id: string) =>
  kind === 'backup' ? findBackup(db, organizationId, id) : findRestore(db, organizationId, id)

/** The cluster that a database runs on; null where it runs on none, or is unknown. */
async function findClusterOf(db: Db, organizationId: number, nameOrId: string): Promise<number | null> {
  const [row] = await db
    .select({ clusterId: databases.clusterId })
    .from(databases)
    .where(isMeant(organizationId, nameOrId))
    .limit(1)
  return row?.clusterId ?? null
}

const isMeant = (organizationId: number, nameOrId: string) =>
  and(
    eq(databases.organizationId, organizationId),
    isNull(databases.deletedAt),
    or(eq(databases.name, nameOrId), eq(sql`${databases.id}::text`, nameOrId)),
  )

async function findId(db: Db, organizationId: number, nameOrId: string): Promise<string> {
  const [row] = await db
    .select({ id: databases.id })
    .from(databases)
    .where(isMeant(organizationId, nameOrId))
    .limit(1)
  if (row === undefined) throw new StepFailure(`There is no database "${nameOrId}" in this organization.`)
  return row.id
}

type Outcome = Awaited<ReturnType<DatabaseProofs['outcome']>>

async function backupOutcome(db: Db, organizationId: number, id: string): Promise<Outcome> {
  const row = await findBackup(db, organizationId, id)
  if (row === undefined) throw new StepFailure('The backup is gone.')
  const { status, failure, consistentAt, storedBytes } = row
  if (restorableStatuses.includes(status)) {
    return { backup: id, consistent_at: consistentAt?.toISOString() ?? null, stored_bytes: storedBytes }
  }
  if (['pending', 'running', 'finalizing'].includes(status)) return undefined
  throw new StepFailure(`The backup failed: ${failure ?? `it is ${status}.`}`)
}

async function drillOutcome(db: Db, organizationId: number, id: string): Promise<Outcome> {
  const row = await findRestore(db, organizationId, id)
  if (row === undefined) throw new StepFailure('The drill is gone.')
  const { finishedAt, proof, failure, targetTime, restoreMs, replayMs, lostMs } = row
  if (finishedAt === null) return undefined
  if (proof !== 'passed') {
    const what = proof === 'failed' ? 'failed' : 'could not run, which proves nothing'
    throw new StepFailure(`The drill ${what}: ${failure ?? 'the cause is not known.'}`)
  }
  return {
    drill: id,
    moment: targetTime?.toISOString() ?? null,
    recovery_ms: (restoreMs ?? 0) + (replayMs ?? 0),
    lost_ms: lostMs,
  }
}
