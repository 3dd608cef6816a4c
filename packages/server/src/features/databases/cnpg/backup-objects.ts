import {
  type ClusterBackup,
  type ClusterBackupMethod,
  clusterBackupMethods,
  clusterBackupRefusal,
} from '@bey/contract'

import type { CnpgRecovery } from '../../../tables/databases.ts'
import type { ClusterObject } from './cluster-object.ts'

const group = '/apis/postgresql.cnpg.io/v1'

/** What is read of a Backup of CloudNativePG. */
export type BackupObject = {
  metadata?: { name?: string; creationTimestamp?: string; labels?: Record<string, string> }
  spec?: { cluster?: { name?: string }; method?: string }
  status?: {
    phase?: string
    error?: string
    startedAt?: string
    stoppedAt?: string
    backupId?: string
    method?: string
  }
}

/** What is read of a ScheduledBackup. */
export type ScheduleObject = {
  metadata?: { name?: string }
  spec?: { cluster?: { name?: string }; schedule?: string; suspend?: boolean; method?: string }
  status?: { nextScheduleTime?: string; lastScheduleTime?: string }
}

export function backupsPath(namespace: string, name?: string): string {
  const all = `${group}/namespaces/${encodeURIComponent(namespace)}/backups`
  return name === undefined ? all : `${all}/${encodeURIComponent(name)}`
}

export function schedulesPath(namespace: string, name?: string): string {
  const all = `${group}/namespaces/${encodeURIComponent(namespace)}/scheduledbackups`
  return name === undefined ? all : `${all}/${encodeURIComponent(name)}`
}

/** Adapter: items of a list of a cluster are read by their optional fields alone. */
export const itemsOf = <T>(body: unknown) =>
  ((typeof body === 'object' && body !== null ? body : {}) as { items?: T[] }).items ?? []

/** The plugin that archives the changes of a Cluster; undefined where none does. */
const archiver = ({ spec }: ClusterObject) =>
  spec?.plugins?.find(({ isWALArchiver, enabled }) => isWALArchiver === true && enabled !== false)

/** How a Cluster is backed up: by its plugin before its own store, as CloudNativePG advises; null where nothing is named. */
export function methodOf(object: ClusterObject): ClusterBackupMethod | null {
  if (archiver(object)?.name !== undefined) return 'plugin'
  const { barmanObjectStore, volumeSnapshot } = object.spec?.backup ?? {}
  if (barmanObjectStore !== undefined) return 'barmanObjectStore'
  return volumeSnapshot === undefined ? null : 'volumeSnapshot'
}

/** The Backup that is asked for. */
export function backupManifest(object: ClusterObject, name: string, method: ClusterBackupMethod) {
  const { namespace } = object.metadata ?? {}
  return {
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'Backup',
    metadata: { name, namespace, labels: { 'app.kubernetes.io/managed-by': 'bey' } },
    spec: whatToBackUp(object, method),
  }
}

/** The part of a Backup or ScheduledBackup that says what is backed up and how. */
export function whatToBackUp(object: ClusterObject, method: ClusterBackupMethod) {
  return {
    cluster: { name: object.metadata?.name },
    method,
    ...(method === 'plugin' && { pluginConfiguration: { name: archiver(object)?.name } }),
  }
}

/** A Backup as it is shown. */
export function presentBackup({ metadata = {}, spec = {}, status = {} }: BackupObject): ClusterBackup {
  const phase = status.phase ?? ''
  const said = status.method ?? spec.method
  return {
    name: metadata.name ?? '',
    method: clusterBackupMethods.find((each) => each === said) ?? 'barmanObjectStore',
    phase,
    error: status.error || null,
    startedAt: instant(status.startedAt ?? metadata.creationTimestamp),
    stoppedAt: instant(status.stoppedAt),
    scheduledBy: metadata.labels?.['cnpg.io/scheduled-backup'] ?? null,
    restoreRefusal: clusterBackupRefusal(phase) ?? null,
  }
}

/** A time of a cluster as the API writes it; null for what is none. */
export function instant(text: string | undefined): string | null {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/**
 * What a new Cluster says to be made of the backups of another one. A plugin and a moment need the store, which is named
 * as an external Cluster; a Backup of a store of the Cluster itself, or of its volumes, is named.
 */
export function recoveryOf(
  object: ClusterObject,
  backup: BackupObject | undefined,
  targetTime: string | undefined,
): CnpgRecovery | { refusal: string } {
  const source = object.metadata?.name ?? ''
  const method = backup === undefined ? methodOf(object) : presentBackup(backup).method
  const target = targetTime !== undefined && { targetTime }
  if (method === null) return { refusal: 'Its Cluster names no store and no plugin for backups.' }
  if (method !== 'plugin' && backup !== undefined) {
    return {
      bootstrap: {
        backup: { name: backup.metadata?.name },
        ...(target && { recoveryTarget: target }),
      },
      externalClusters: [],
    }
  }
  const backupId = backup?.status?.backupId
  const recoveryTarget = { ...target, ...(backupId !== undefined && { backupID: backupId }) }
  const bootstrap = { source, ...(Object.keys(recoveryTarget).length > 0 && { recoveryTarget }) }
  if (method === 'plugin') {
    const { name, parameters = {} } = archiver(object) ?? {}
    if (name === undefined) return { refusal: 'Its Cluster names no plugin for backups any more.' }
    // Without its own name a plugin looks for the backups of the new Cluster.
    const plugin = { name, parameters: { serverName: source, ...parameters } }
    return { bootstrap, externalClusters: [{ name: source, plugin }] }
  }
  const store = object.spec?.backup?.barmanObjectStore
  if (store === undefined) {
    return { refusal: 'Snapshots of volumes hold single moments: choose one of its backups.' }
  }
  return {
    bootstrap,
    externalClusters: [{ name: source, barmanObjectStore: { serverName: source, ...store } }],
  }
}

/** The earliest moment of any method that can be restored. */
export function recoverableFrom({ status = {} }: ClusterObject): string | null {
  const all = [
    status.firstRecoverabilityPoint,
    ...Object.values(status.firstRecoverabilityPointByMethod ?? {}),
  ]
  return all.flatMap((text) => instant(text) ?? []).toSorted()[0] ?? null
}
