import type { SecretVerification } from '@bey/contract'
import type { DataKeys } from '../../platform/crypto/data-keys.ts'
import { SealError } from '../../platform/crypto/sealed-box.ts'
import type { Database } from '../../platform/db/database.ts'
import { sealContext } from './parts.ts'
import { listSealed } from './version-store.ts'

const maxFailures = 100

export type OpenedValues = Pick<SecretVerification, 'versions' | 'opened' | 'failed'>

/**
 * Opens every value of an organization and forgets it; the first 100 that do not open are named. In slices, each in a
 * transaction of its own, so that no other work waits. `onOpen` is called for each value.
 */
export async function openAllValues(
  { database, dataKeys }: { database: Pick<Database, 'readTenant'>; dataKeys: DataKeys },
  organizationId: number,
  onOpen: () => void = () => undefined,
): Promise<OpenedValues> {
  const found: OpenedValues = { versions: 0, opened: 0, failed: [] }
  let after: { secretId: string; version: number } | null = null
  for (;;) {
    const position = after
    const rows = await database.readTenant(organizationId, async (db) => {
      const slice = await listSealed(db, organizationId, position)
      if (slice.length === 0) return slice
      const open = await dataKeys.opener(db, organizationId)
      for (const { secretId, name, version, sealed } of slice) {
        found.versions += 1
        onOpen()
        if (sealed && doesOpen(() => open(sealed, sealContext(secretId, version)))) found.opened += 1
        else if (found.failed.length < maxFailures) found.failed.push({ secretId, name, version })
      }
      return slice
    })
    after = rows.at(-1) ?? null
    if (after === null) return found
  }
}

/** Whether a sealed text opens; other errors than of the seal are thrown. */
export function doesOpen(open: () => Buffer): boolean {
  try {
    open()
    return true
  } catch (error) {
    if (error instanceof SealError) return false
    throw error
  }
}
