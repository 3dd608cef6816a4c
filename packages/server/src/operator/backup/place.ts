import { resolve } from 'node:path'

import type { BackupStore, ObjectStore } from '../../features/databases/backups/backup-store.ts'
import { ConfigError } from '../../platform/errors.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { directoryStore } from '../../providers/backup-stores/directory-store.ts'
import { encryptedStore } from '../../providers/backup-stores/encrypted-store.ts'
import { s3Store } from '../../providers/backup-stores/s3-store.ts'
import { throttledStore } from '../../providers/backup-stores/throttled-store.ts'
import type { InstanceBackupConfig } from '../../instance-backup-config.ts'
import { isBackupId } from './backup-id.ts'
import { instanceBackupKeys } from './object-keys.ts'

type Options = {
  backup: Pick<InstanceBackupConfig, 's3'>
  /** At which backups are stored at most; undefined: as quickly as it goes. */
  mibPerSecond: number | undefined
  outbound: Outbound
  machineId: string
}

/** Where backups of the instance are kept, as it keeps them and with what encrypts them. */
export type BackupPlace = { plain: ObjectStore; encrypted(key: Buffer): BackupStore }

/** Opens a directory, or `s3://bucket/prefix`; nothing is reached before the first object is. Throws ConfigError. */
export function openPlace(to: string, { backup, mibPerSecond, outbound, machineId }: Options): BackupPlace {
  const plain = to.startsWith('s3://') ? bucket(to) : directoryStore(resolve(to), machineId)
  return {
    plain,
    encrypted(key) {
      const store = encryptedStore(plain, instanceBackupKeys(key))
      return mibPerSecond === undefined
        ? store
        : throttledStore(store, { bytesPerSecond: mibPerSecond * 1024 * 1024 })
    },
  }

  function bucket(address: string): ObjectStore {
    const [name = '', ...prefix] = address.slice('s3://'.length).replace(/\/+$/, '').split('/')
    if (name === '') throw new ConfigError(`"${address}" names no bucket. Write s3://bucket/prefix.`)
    const { endpoint, region, accessKeyId, secretAccessKey } = backup.s3
    if (accessKeyId === undefined || secretAccessKey === undefined) {
      throw new ConfigError(
        `Set BEY_BACKUP_S3_ACCESS_KEY_ID and BEY_BACKUP_S3_SECRET_ACCESS_KEY for ${address}.`,
      )
    }
    return s3Store(
      { endpoint, region, bucket: name, prefix: prefix.join('/'), accessKeyId, secretAccessKey },
      outbound,
    )
  }
}

/** The place and the id of a backup that is named by its address; without an id the newest of the place is meant. */
export function splitAddress(address: string): { to: string; id: string | undefined } {
  const trimmed = address.replace(/\/+$/, '')
  const last = trimmed.slice(trimmed.lastIndexOf('/') + 1)
  if (!isBackupId(last)) return { to: address, id: undefined }
  return { to: trimmed.slice(0, -last.length - 1) || '.', id: last }
}
