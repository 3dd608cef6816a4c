/**
 * `absent`: the object is not there. `changed`: it is not what was stored. `unavailable`: the place cannot be reached at
 * the moment. `denied`: the place refuses, or is set up wrongly. `full`: it has no room.
 */
export type BackupStoreProblemKind = 'absent' | 'changed' | 'unavailable' | 'denied' | 'full'

/** Why a place of backups did not do as asked. The message is a sentence for people, without credentials. */
export class BackupStoreProblem extends Error {
  readonly kind: BackupStoreProblemKind

  constructor(kind: BackupStoreProblemKind, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'BackupStoreProblem'
    this.kind = kind
  }
}
