import { hkdfSync } from 'node:crypto'

import type { ObjectKeys } from '../../features/databases/backup-targets/backup-places.ts'
import { seal, unseal } from '../../platform/crypto/sealed-box.ts'

/** Wraps the keys of a backup's parts with a key that is derived from the given one, which itself encrypts nothing. */
export function instanceBackupKeys(key: Buffer): ObjectKeys {
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'bey-instance-backup', 32))
  return {
    wrap: async (plain, context) => seal(derived, plain, context),
    unwrap: async (wrapped, context) => unseal(derived, wrapped, context),
  }
}
