import { shortestLeaf } from '../../platform/masking/leaves.ts'
import { SealError } from '../../platform/crypto/sealed-box.ts'
import { sealContext, type SecretParts } from './parts.ts'
import { findReferenced, type SecretReference, textAt } from './referenced.ts'
import { decodeValue } from './value.ts'
import { findSealed } from './version-store.ts'

/**
 * Values that take themselves out of what is shown. They are given to nobody, so no access is asked for and no use
 * recorded; what does not exist or does not open is left out, and the step that needs it says so.
 */
export function createSecretValues({ database, dataKeys }: Pick<SecretParts, 'database' | 'dataKeys'>) {
  return function secretValues(
    organizationId: number,
    references: readonly SecretReference[],
  ): Promise<readonly string[]> {
    return database.readTenant(organizationId, async (db) => {
      const open = await dataKeys.opener(db, organizationId)
      const values = new Set<string>()
      for (const reference of references) {
        const found = await findReferenced(db, organizationId, reference)
        if (found === undefined) continue
        const { row, path } = found
        const stored = await findSealed(db, organizationId, row.id, reference.version ?? 'current')
        const sealed = stored?.sealed
        if (stored === undefined || sealed == null) continue
        const plain = openOrNothing(() => open(sealed, sealContext(row.id, stored.version)))
        const read = plain && textAt(row, decodeValue(plain), path)
        if (read && 'text' in read && read.text.length >= shortestLeaf) values.add(read.text)
      }
      return [...values]
    })
  }
}

function openOrNothing(open: () => Buffer): Buffer | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}
