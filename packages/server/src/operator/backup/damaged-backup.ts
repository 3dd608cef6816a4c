import { ConfigError } from '../../platform/errors.ts'

/** A backup that is not what was stored, or cannot be recovered: another one has to be restored. */
export class DamagedBackup extends ConfigError {}
