export type StoredObject = { key: string; sizeBytes: number; modifiedAt: Date }

/** Where backups are kept. Keys are names of letters, digits, `.`, `_`, `=` and `-`, separated by `/`. */
export type BackupStore = {
  /** Where it is, for people: a directory or bucket; no credentials. */
  readonly place: string
  /** Stores all or nothing; returns the bytes before encryption and their SHA-256 (hex). */
  put(
    key: string,
    source: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<{ sizeBytes: number; storedBytes: number; sha256: string }>
  /** Throws BackupStoreProblem (sentence) when absent, changed or unreadable; integrity is checked while streaming. */
  get(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  list(prefix: string): AsyncIterable<StoredObject>
  remove(key: string): Promise<void>
  /** Writes, reads and removes a small object; throws BackupStoreProblem. */
  check(): Promise<void>
}

/** A store beneath the encryption: it knows nothing of the bytes that it keeps. */
export type ObjectStore = Omit<BackupStore, 'put'> & {
  put(key: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<{ storedBytes: number }>
}

/** Opens the store of a target of an organization; null: the machine of Bey. Throws BackupStoreProblem where it is gone. */
export type OpenBackupStore = (organizationId: number, targetId: string | null) => Promise<BackupStore>
