import { act, serverItself } from '../../../platform/act.ts'
import type { Db } from '../../../platform/db/database.ts'
import { addVersion } from '../add-version.ts'
import { tryLockSecret } from '../due-store.ts'
import { secretTarget, sealContext, type SecretParts } from '../parts.ts'
import { findSecret } from '../store.ts'
import { decodeValue } from '../value.ts'
import { findSealed } from '../version-store.ts'

export type RolledBack =
  /** The version that holds the old value again. */
  | { version: number }
  /** Why the old value was not restored, in words. */
  | { left: string }

/**
 * Stores the value of version `from` again as the newest version, unless somebody has changed the secret since. Called
 * again it finds what it did.
 */
export async function rollBack(
  parts: SecretParts,
  db: Db,
  {
    organizationId,
    secretId,
    from,
    to,
  }: { organizationId: number; secretId: string; from: number; to: number },
): Promise<RolledBack> {
  if (!(await tryLockSecret(db, { organizationId, id: secretId }))) {
    return { left: 'somebody changes it at this moment' }
  }
  const row = await findSecret(db, organizationId, secretId)
  if (row === undefined || row.status !== 'active') return { left: 'the secret is not in use any more' }
  if (row.currentVersion !== to) {
    const current = await findSealed(db, organizationId, secretId, row.currentVersion)
    if (current?.restoredFrom === from) return { version: row.currentVersion }
    return { left: `somebody stored version ${row.currentVersion} meanwhile` }
  }
  const old = await findSealed(db, organizationId, secretId, from)
  if (!old?.sealed) return { left: `version ${from} is not kept any more` }
  const plain = await parts.dataKeys.unseal(db, organizationId, old.sealed, sealContext(secretId, from))
  const { value, encoding } = decodeValue(plain)
  const reason = `Version ${to} did not work`
  const addition = { value, encoding, reason, restoredFrom: from }
  const version = await addVersion(parts, db, row, addition, { organizationId, user: null })
  const diff = { version: { from: to, to: version }, restoredFrom: from, reason }
  await act(db, serverItself(row.organizationId), {
    action: 'secret.rollback',
    class: 'update',
    diff,
    target: secretTarget(row),
  })
  return { version }
}
