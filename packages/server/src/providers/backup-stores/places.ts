import { mkdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'

import type { Config } from '../../config.ts'
import type { BackupPlaces } from '../../features/databases/backup-targets/backup-places.ts'
import type { BackupStore } from '../../features/databases/backups/backup-store.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { directoryStore } from './directory-store.ts'
import { encryptedStore } from './encrypted-store.ts'
import { removePartials } from './remove-partials.ts'
import { s3Store } from './s3-store.ts'
import { throttledStore } from './throttled-store.ts'

type Needs = {
  config: Pick<Config, 'dataDir' | 'backupDir' | 'backupMibPerSecond'>
  outbound: Outbound
  clock: Pick<Clock, 'now'>
  log: Log
}

/**
 * Places for backups: a directory of this machine, with one for each organization, and buckets. Removes first what a crash
 * left half written. A directory that cannot be used is logged: buckets work without it.
 */
export async function openBackupPlaces(
  { config, outbound, clock, log }: Needs,
  machineId: string,
): Promise<BackupPlaces> {
  const { dataDir, backupDir, backupMibPerSecond } = config
  const directory = backupDir ?? join(dataDir, 'backups')
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await removePartials(directory, machineId, clock.now())
  } catch (error) {
    log.warn({ err: error, directory }, 'The directory for backups cannot be used')
  }
  const paced = (store: BackupStore) =>
    backupMibPerSecond === undefined
      ? store
      : throttledStore(store, { bytesPerSecond: backupMibPerSecond * 1024 * 1024 })
  return {
    directory,
    freeBytes: async () => {
      const found = await statfs(directory).catch(() => undefined)
      return found === undefined ? null : found.bavail * found.bsize
    },
    onMachine: (organizationId, keys) => {
      const own = join(directory, `organization-${organizationId}`)
      return paced(encryptedStore(directoryStore(own, machineId), keys))
    },
    inBucket: (access, keys) => paced(encryptedStore(s3Store(access, outbound), keys)),
  }
}
