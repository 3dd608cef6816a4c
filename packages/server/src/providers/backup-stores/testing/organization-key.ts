import { randomBytes } from 'node:crypto'

import type { ObjectKeys } from '../../../features/databases/backup-targets/backup-places.ts'
import { seal, unseal } from '../../../platform/crypto/sealed-box.ts'

/** Keys of an organization of the test. */
export function organizationKey(key = randomBytes(32)): ObjectKeys {
  return {
    wrap: async (dataKey, context) => seal(key, dataKey, context),
    unwrap: async (wrapped, context) => unseal(key, wrapped, context),
  }
}
