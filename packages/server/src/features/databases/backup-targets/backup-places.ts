import type { BackupStore } from '../backups/backup-store.ts'

/** A bucket and how it is reached. */
export type BucketAccess = {
  /** `http(s)://host[:port]` of an S3-compatible service; null: Amazon S3. */
  endpoint: string | null
  region: string
  bucket: string
  /** Before every key, without a slash at its end; may be empty. */
  prefix: string
  accessKeyId: string
  secretAccessKey: string
}

/** Wraps the data keys of objects with the key of one organization. `context` must be the same to unwrap. */
export type ObjectKeys = {
  wrap(key: Buffer, context: string): Promise<Buffer>
  /** Throws SealError for another organization's key, or another context. */
  unwrap(wrapped: Buffer, context: string): Promise<Buffer>
}

/** Opens places for backups; nothing is reached before the first object is. */
export type BackupPlaces = {
  /** The directory of all backups on the machine of Bey. */
  directory: string
  /** Null where it cannot be told. */
  freeBytes(): Promise<number | null>
  onMachine(organizationId: number, keys: ObjectKeys): BackupStore
  inBucket(access: BucketAccess, keys: ObjectKeys): BackupStore
}
