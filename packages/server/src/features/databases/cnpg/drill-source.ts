import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { CnpgRecovery } from '../../../tables/databases.ts'
import { monitorName } from '../open-connection.ts'
import { createPasswordReader } from '../password-of.ts'
import {
  type BackupObject,
  backupsPath,
  instant,
  itemsOf,
  methodOf,
  presentBackup,
  recoverableFrom,
  recoveryOf,
} from './backup-objects.ts'
import { type ClusterObject, messageOf } from './cluster-object.ts'
import type { ClusterStepParts, OnCluster } from './cluster-steps.ts'
import { openCnpg } from './open-cnpg.ts'
import { readCluster } from './wait-for-cluster.ts'

/** What a drill restores: the Cluster as it is now, and the newest of its Backups; none: what its store holds. */
export type DrillSource = { object: ClusterObject; backup: BackupObject | undefined; recovery: CnpgRecovery }

/** Chooses what a drill restores; `wanted` names the Backup that was chosen before. Throws StepFailure where there is nothing. */
export async function chooseDrillSource(subject: OnCluster, wanted?: string | null): Promise<DrillSource> {
  const { namespace, name, call } = subject
  const object = await readCluster(subject)
  if (object === undefined) throw new StepFailure('Its Cluster is gone.')
  const answer = await call('GET', backupsPath(namespace))
  if (answer.status >= 300) throw new StepFailure(`Its Backups cannot be read: ${messageOf(answer)}.`)
  const backup = newestOf(
    itemsOf<BackupObject>(answer.body).filter(({ spec }) => spec?.cluster?.name === name),
    wanted,
  )
  if (wanted != null && backup === undefined) {
    throw new StepFailure(`The Backup "${wanted}" was deleted while it was restored.`)
  }
  if (backup === undefined && methodOf(object) === null) {
    throw new StepFailure(`The Cluster "${name}" names no store and no plugin for backups. Name one first.`)
  }
  if (backup === undefined && recoverableFrom(object) === null) {
    throw new StepFailure('No Backup of it is completed. Back it up first.')
  }
  const recovery = recoveryOf(object, backup, undefined)
  if ('refusal' in recovery) throw new StepFailure(recovery.refusal)
  return { object, backup, recovery }
}

function newestOf(
  backups: readonly BackupObject[],
  wanted: string | null | undefined,
): BackupObject | undefined {
  if (wanted != null) return backups.find(({ metadata }) => metadata?.name === wanted)
  if (wanted === null) return undefined
  const at = (backup: BackupObject) => presentBackup(backup).stoppedAt ?? ''
  return backups
    .filter((backup) => presentBackup(backup).restoreRefusal === null)
    .toSorted((a, b) => (at(a) < at(b) ? 1 : -1))[0]
}

/**
 * The newest moment that is safe outside the server: when it last archived a segment of WAL, or the end of the Backup where
 * the server says nothing or does not answer. Null where neither is known.
 */
export async function newestMoment(
  parts: ClusterStepParts,
  { row }: Pick<OnCluster, 'row'>,
  { object, backup }: DrillSource,
): Promise<Date | null> {
  const ofBackup = instant(backup?.status?.stoppedAt)
  const backedUpAt = ofBackup === null ? null : new Date(ofBackup)
  if (methodOf(object) === 'volumeSnapshot') return backedUpAt
  try {
    const password = await createPasswordReader(parts)(row)
    const connection = await openCnpg(parts.providers, row, password, monitorName)
    try {
      const { rows } = await connection.query<{ at: Date | null }>(
        'select last_archived_time as at from pg_catalog.pg_stat_archiver',
      )
      const archivedAt = rows[0]?.at ?? null
      return archivedAt !== null && (backedUpAt === null || archivedAt > backedUpAt) ? archivedAt : backedUpAt
    } finally {
      await connection.end()
    }
  } catch {
    // A server that does not answer is no reason not to restore its backup.
    return backedUpAt
  }
}
