import { randomBytes } from 'node:crypto'

import { seal, unseal } from '../../../platform/crypto/sealed-box.ts'
import type { ObjectKeys } from '../encrypted-store.ts'

/** Keys of an organization of the test. */
export function organizationKey(key = randomBytes(32)): ObjectKeys {
  return {
    wrap: async (dataKey, context) => seal(key, dataKey, context),
    unwrap: async (wrapped, context) => unseal(key, wrapped, context),
  }
}
