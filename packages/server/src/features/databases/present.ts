import { presentActor } from '../../platform/present-actor.ts'
import { type Database, healthOfDatabase } from '@bey/contract'

import { AppError } from '../../platform/errors.ts'
import type { DatabaseRow } from './store.ts'

/** Whether newer figures lead to another state of health; a sentence whose numbers move does not. */
export function isOtherHealth(row: DatabaseRow, figures: DatabaseRow['figures']): boolean {
  const [before, after] = [presentDatabase(row).health, presentDatabase({ ...row, figures }).health]
  return before.state !== after.state || before.reason !== after.reason
}

export function presentDatabase(row: DatabaseRow): Database {
  const { status, reason, host, port, backupTrouble } = row
  const statusSince = row.statusSince.toISOString()
  const figures = presentFigures(row)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    engine: row.engine,
    provider: row.provider,
    version: row.version,
    plan: row.plan,
    status,
    statusSince,
    reason,
    health: healthOfDatabase({
      status,
      reason,
      statusSince,
      figures,
      backupTrouble,
      isPhaseUnknown: isPhaseUnknown(row),
    }),
    endpoint:
      host === null || port === null
        ? null
        : {
            engine: row.engine,
            host,
            port,
            database: row.databaseName,
            username: row.username,
            tls: row.tls,
          },
    cluster: presentCluster(row),
    credential:
      row.credentialSecretId === null || row.secretName === null
        ? null
        : { id: row.credentialSecretId, name: row.secretName },
    allowList: row.allowList,
    networkAccess: row.networkAccess,
    notes: row.notes,
    figures,
    lastRestart:
      row.restartedAt === null
        ? null
        : { at: row.restartedAt.toISOString(), reason: row.restartReason ?? 'Its server ended.' },
    restoredFrom: row.restoredFrom && {
      ...row.restoredFrom,
      at: new Date(row.restoredFrom.at).toISOString(),
    },
    drills: row.drills,
    isProtected: row.isProtected,
    lastRun:
      row.lastRunId === null || row.lastWorkflowId === null
        ? null
        : { workflowId: row.lastWorkflowId, runId: row.lastRunId },
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** Whether the operator of a cluster calls the state of a database by a word that Bey does not know. */
export const isPhaseUnknown = ({ cnpg }: Pick<DatabaseRow, 'cnpg'>): boolean =>
  cnpg?.observed?.isPhaseUnknown === true

function presentCluster({ clusterId, clusterTitle, cnpg }: DatabaseRow): Database['cluster'] {
  if (cnpg === null) return null
  const { namespace, name, isAdopted, observed, wanted } = cnpg
  return {
    clusterId,
    title: clusterTitle,
    namespace,
    name,
    isAdopted,
    phase: observed?.phase ?? null,
    instances: observed?.instances ?? wanted?.instances ?? null,
    readyInstances: observed?.readyInstances ?? null,
    primary: observed?.primary ?? null,
    instanceNames: observed?.instanceNames ?? [],
    image: observed?.image ?? wanted?.imageName ?? null,
    storage: observed?.storage ?? wanted?.storage ?? null,
    storageClass: observed?.storageClass ?? wanted?.storageClass ?? null,
    backups: observed?.backups ?? null,
    parameters: observed?.parameters ?? wanted?.parameters ?? {},
  }
}

export function presentFigures({ figures }: Pick<DatabaseRow, 'figures'>): Database['figures'] {
  if (figures === null) return null
  const { counters: _, rates: __, slowest: ___, replicationLagMs: ____, ...shown } = figures
  return {
    ...shown,
    sizeLimitBytes: shown.sizeLimitBytes ?? null,
    statementsPerSecond: shown.statementsPerSecond ?? null,
    longestLockWaitMs: shown.longestLockWaitMs ?? null,
    longestIdleInTransactionMs: shown.longestIdleInTransactionMs ?? null,
    frozenAge: shown.frozenAge ?? null,
    diskQuota: shown.diskQuota ?? null,
  }
}

/** The row of a database that is not deleted; throws AppError `not_found` where there is none. */
export function existing(row: DatabaseRow | undefined): DatabaseRow {
  if (row !== undefined && row.deletedAt === null) return row
  throw new AppError('not_found', 'There is no such database in this organization.')
}

/** A database as what an act was done to. */
export function databaseTarget({ id, name }: Pick<DatabaseRow, 'id' | 'name'>) {
  return { type: 'database', id, name } as const
}
