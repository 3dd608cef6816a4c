import type { SecretVerification } from '@bey/contract'
import { eq } from 'drizzle-orm'
import { audit, verifyAudit } from '../../platform/audit/audit.ts'
import type { RootKey } from '../../platform/crypto/root-key.ts'
import { SealError } from '../../platform/crypto/sealed-box.ts'
import { AppError } from '../../platform/errors.ts'
import { organizationKeys } from '../../tables/organization-keys.ts'
import { sealContext, type SecretParts, type Who } from './parts.ts'
import { listSealed } from './version-store.ts'

const maxFailures = 100

type KnownKeys = Pick<RootKey, 'fingerprint'> & { previous?: Pick<RootKey, 'fingerprint'> | undefined }

/** Which keys seal the values of an organization, and whether they open all of them. */
export function createSecretKeys({ database, dataKeys }: SecretParts, rootKey: KnownKeys) {
  /** Organizations whose values are being opened. */
  const verifying = new Set<number>()

  /** In slices, each in a transaction of its own, so that no other work waits. */
  async function openAll(organizationId: number) {
    const found = { versions: 0, opened: 0, failed: [] as SecretVerification['failed'] }
    let after: { secretId: string; version: number } | null = null
    for (;;) {
      const position = after
      const rows = await database.readTenant(organizationId, async (db) => {
        const slice = await listSealed(db, organizationId, position)
        if (slice.length === 0) return slice
        const open = await dataKeys.opener(db, organizationId)
        for (const { secretId, name, version, sealed } of slice) {
          found.versions += 1
          if (sealed && doesOpen(() => open(sealed, sealContext(secretId, version)))) found.opened += 1
          else if (found.failed.length < maxFailures) found.failed.push({ secretId, name, version })
        }
        return slice
      })
      after = rows.at(-1) ?? null
      if (after === null) return found
    }
  }

  async function verifyAll(who: Who): Promise<SecretVerification> {
    const { organizationId, userId, name, via, ip, userAgent, requestId } = who
    const found = await openAll(organizationId)
    const verdict = await database.readTenant(organizationId, (db) => verifyAudit(db, organizationId))
    const isGood = found.opened === found.versions && verdict.isIntact
    await database.withTenant(organizationId, (db) =>
      audit(db, {
        organizationId,
        actor: { type: 'user', id: userId, display: name },
        via,
        ip,
        userAgent,
        requestId,
        action: 'secrets.verify',
        class: 'read',
        outcome: isGood ? 'success' : 'failure',
        diff: { versions: found.versions, opened: found.opened, isAuditIntact: verdict.isIntact },
      }),
    )
    return {
      ...found,
      audit: verdict.isIntact
        ? { isIntact: true, entries: verdict.entries, problem: null }
        : { isIntact: false, entries: null, problem: `Entry ${verdict.position}: ${verdict.problem}` },
      rootKeyFingerprint: rootKey.fingerprint,
    }
  }

  return {
    async keys({ organizationId }: Who) {
      const [row] = await database.readTenant(organizationId, (db) =>
        db
          .select({ createdAt: organizationKeys.createdAt })
          .from(organizationKeys)
          .where(eq(organizationKeys.organizationId, organizationId)),
      )
      return {
        rootKeyFingerprint: rootKey.fingerprint,
        previousFingerprint: rootKey.previous?.fingerprint ?? null,
        dataKeyCreatedAt: row?.createdAt.toISOString() ?? null,
      }
    },

    async verify(who: Who): Promise<SecretVerification> {
      if (verifying.has(who.organizationId)) {
        throw new AppError(
          'conflict',
          'The secrets of this organization are being verified. Wait for the result.',
        )
      }
      verifying.add(who.organizationId)
      try {
        return await verifyAll(who)
      } finally {
        verifying.delete(who.organizationId)
      }
    },
  }
}

function doesOpen(open: () => Buffer): boolean {
  try {
    open()
    return true
  } catch (error) {
    if (error instanceof SealError) return false
    throw error
  }
}
