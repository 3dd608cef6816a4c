/** What a complete backup of Bey itself is. */
export type MadeBackup = {
  backupId: string
  copiedBytes: number
  storedBytes: number
  rowCount: number
  rootKeyFingerprint: string
}

/** What a drill found. `unchecked`: it could not be carried out, which says nothing about the backup. */
export type DrillResult = {
  outcome: 'proved' | 'failed' | 'unchecked'
  rows: number | null
  secrets: number | null
  /** Sentences; empty where it is proved. */
  problems: string[]
}

/** Makes, restores and removes backups of Bey itself in the place that the environment names. */
export type InstanceBackupRunner = {
  /** A directory or bucket, without credentials. */
  place: string
  /** Throws an error whose message is a sentence. */
  backUp(signal: AbortSignal): Promise<MadeBackup>
  /** Restores a backup into a throw-away server and compares it. Never throws for what it finds. */
  drill(backupId: string, signal: AbortSignal): Promise<DrillResult>
  /** Removes the oldest beyond those that are kept; answers their names. */
  removeOld(keep: number, locked: readonly string[]): Promise<string[]>
}
