import { drillRefusal } from '@bey/contract'

import { act, type Member, type OtherActor, type Who } from '../../../platform/act.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import type { DatabaseParts } from '../parts.ts'
import { databaseTarget, existing } from '../present.ts'
import { type DatabaseRow, findDatabase, lockDatabase } from '../store.ts'
import { openCluster } from '../cnpg/cluster-rights.ts'
import { findPolicy } from './policy.ts'
import { presentRestore } from './present-restore.ts'
import { findRestore, hasRestoreUnderWay, insertRestore, updateRestore } from './restore-rows.ts'

/** Proves on request that a database can be restored. */
export function drillHandlers(
  parts: Pick<DatabaseParts, 'database' | 'workflows' | 'providers'>,
): Handlers<'databases.drill'> {
  return {
    'databases.drill': async ({ caller, params: { id } }) => {
      const { organizationId } = caller
      const found = existing(
        await parts.database.readTenant(organizationId, (db) => findDatabase(db, organizationId, id)),
      )
      await requireDrillRights(parts, found, caller)
      return parts.database.withTenant(organizationId, async (db) => {
        const row = existing(await lockDatabase(db, organizationId, id))
        const drillId = await startDrill(parts, db, row, caller)
        const drill = await findRestore(db, organizationId, drillId)
        if (drill === undefined) throw new Error('The drill was not stored')
        return keepReply(db, presentRestore(drill))
      })
    },
  }
}

/** What a drill of a database on a cluster does there. */
export const clusterDrillRights = ['kubernetes.write', 'kubernetes.secrets', 'kubernetes.delete'] as const

/** Throws AppError where the caller may not do in the cluster of a database what its drills do. */
export async function requireDrillRights(
  { providers }: Pick<DatabaseParts, 'providers'>,
  { provider, clusterId }: DatabaseRow,
  caller: Member,
): Promise<void> {
  if (provider !== 'cnpg' || clusterId === null) return
  await openCluster(providers.cnpg.clusters, caller, clusterId, clusterDrillRights)
}

/**
 * Queues a drill in the caller's transaction, with the database locked; answers its id. Throws AppError `conflict` where
 * somebody else runs the server, or a drill is under way. On a cluster it runs in the name of `who`, or of the person who
 * set its schedule.
 */
export async function startDrill(
  { workflows }: { workflows: Pick<DatabaseParts['workflows'], 'startRun'> },
  db: Db,
  row: DatabaseRow,
  who: Who | OtherActor,
  drillId = uuidv7(),
): Promise<string> {
  const { organizationId, id: databaseId, name, machineId, provider } = row
  const refusal = await refusalOf(db, row)
  if (refusal !== undefined) throw new AppError('conflict', `No drill of "${name}" was begun: ${refusal}`)
  const createdBy = 'user' in who ? who.user.id : null
  const actsFor =
    provider === 'cnpg'
      ? (createdBy ?? (await findPolicy(db, organizationId, databaseId)).drillBy)
      : createdBy
  if (provider === 'cnpg' && actsFor === null) {
    throw new AppError(
      'conflict',
      `No drill of "${name}" was begun: whoever set its schedule is gone, and the cluster takes changes of a person. Set the schedule again.`,
    )
  }
  await insertRestore(db, { id: drillId, organizationId, kind: 'drill', databaseId, createdBy })
  const run = await workflows.startRun(db, {
    organizationId,
    workflowKey: provider === 'cnpg' ? 'database.cluster_drill' : 'database.drill',
    subject: { type: 'database', id: databaseId },
    input: { databaseId, name, drillId, ...(machineId !== null && { machineId }) },
    trigger: createdBy === null ? 'system' : 'manual',
    createdBy: actsFor,
  })
  await updateRestore(db, organizationId, drillId, { runId: run.runId })
  await act(db, who, {
    action: 'database.drill',
    class: 'execute',
    target: databaseTarget(row),
    runId: run.runId,
    diff: { drill: drillId },
    event: { type: 'DATABASE_BACKUPS_UPDATE', data: { databaseId } },
  })
  return drillId
}

async function refusalOf(db: Db, row: DatabaseRow): Promise<string | undefined> {
  const refusal = drillRefusal(row)
  if (refusal !== undefined) return refusal
  return (await hasRestoreUnderWay(db, row, 'drill'))
    ? 'One is under way. Wait until it is done, or cancel its run.'
    : undefined
}
