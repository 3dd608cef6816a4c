import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { readFacts } from './facts.ts'
import { touchSyncs } from './sync/store.ts'
import { sealContext, type SecretParts } from './parts.ts'
import { type SecretRow, updateSecret } from './store.ts'
import { type Encoding, encodeValue, type GivenValue, parseValue } from './value.ts'
import { insertVersion, setVersionStatus, trimVersions } from './version-store.ts'

type Addition = { value: GivenValue; encoding: Encoding; reason: string; restoredFrom?: number }

/** Check-and-set: throws AppError `conflict` when the caller replaces another version than it knows. */
export function checkExpectedVersion(
  row: SecretRow,
  input: { expectedVersion?: number | undefined; value?: unknown },
): void {
  const { expectedVersion } = input
  if (expectedVersion !== undefined && expectedVersion !== row.currentVersion) {
    throw new AppError(
      'conflict',
      `The secret "${row.name}" is at version ${row.currentVersion}, not ${expectedVersion}: somebody changed it meanwhile. Read it again and decide.`,
    )
  }
  if (row.requireCas && input.value !== undefined && expectedVersion === undefined) {
    throw new AppError(
      'conflict',
      `The secret "${row.name}" takes a new value only together with expectedVersion, which is ${row.currentVersion} now.`,
    )
  }
}

/** Stores a value as the new current version of a locked secret and answers its number. */
export async function addVersion(
  { dataKeys, clock }: SecretParts,
  db: Db,
  row: SecretRow,
  { value: given, encoding, reason, restoredFrom }: Addition,
  who: { organizationId: number; user: { id: number } | null },
): Promise<number> {
  const { organizationId } = who
  const value = parseValue(row.type, given, encoding)
  const facts = await readFacts(row.type, value)
  const plain = encodeValue(value)
  const valueHash = await dataKeys.fingerprint(db, organizationId, plain, 'secret-value')
  const version = row.lastVersion + 1
  await setVersionStatus(db, organizationId, row.id, row.currentVersion, 'superseded')
  await insertVersion(db, {
    organizationId,
    secretId: row.id,
    version,
    status: 'current',
    sealed: await dataKeys.seal(db, organizationId, plain, sealContext(row.id, version)),
    valueHash,
    reason,
    restoredFrom: restoredFrom ?? null,
    createdBy: who.user?.id ?? null,
  })
  await updateSecret(db, organizationId, row.id, {
    currentVersion: version,
    lastVersion: version,
    valueHash,
    facts,
    valueChangedAt: clock.now(),
    ...(facts.certificate && { expiresAt: new Date(facts.certificate.notAfter) }),
  })
  await touchSyncs(db, organizationId, row.id, clock.now())
  await trimVersions(db, organizationId, row.id, row.maxVersions)
  return version
}
