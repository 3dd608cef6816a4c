import type { SecretVerification } from '@bey/contract'
import { and, desc, eq } from 'drizzle-orm'
import { actorLabel } from '../../platform/audit/actor-label.ts'
import { act } from '../../platform/act.ts'
import { type AuditVerdict, verifyAudit } from '../../platform/audit/verify.ts'
import { dataKeyContext, unwrap } from '../../platform/crypto/data-keys.ts'
import type { RootKey } from '../../platform/crypto/root-key.ts'
import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { auditEntries } from '../../tables/audit-entries.ts'
import { organizationKeys } from '../../tables/organization-keys.ts'
import { doesOpen, openAllValues } from './open-all.ts'
import type { SecretParts, Who } from './parts.ts'
import { countSealed } from './version-store.ts'

type Progress = { startedAt: Date; versions: number; checked: number }

/** Which keys seal the values of an organization, and whether they open all of them. */
export function createSecretKeys(parts: SecretParts, rootKey: RootKey) {
  const { database, clock } = parts
  /** Organizations whose values are being opened. */
  const verifying = new Map<number, Progress>()

  async function verifyAll(who: Who, progress: Progress): Promise<SecretVerification> {
    const { organizationId } = who
    const checkAudit = () => database.readTenant(organizationId, (db) => verifyAudit(db, organizationId))
    const before = await checkAudit()
    const found = await openAllValues(parts, organizationId, () => (progress.checked += 1))
    const after = await checkAudit()
    const isAuditIntact = before.isIntact && after.isIntact
    const isGood = found.opened === found.versions && isAuditIntact
    await database.withTenant(organizationId, (db) =>
      act(db, who, {
        action: 'secrets.verify',
        target: { type: 'secret-keys', id: String(organizationId) },
        class: 'read',
        outcome: isGood ? 'success' : 'failure',
        diff: { versions: found.versions, opened: found.opened, isAuditIntact },
      }),
    )
    return {
      ...found,
      auditBefore: presentVerdict(before),
      audit: presentVerdict(after),
      rootKeyFingerprint: rootKey.fingerprint,
    }
  }

  return {
    async keys({ organizationId }: Who) {
      const [key, versions, last] = await database.readTenant(
        organizationId,
        async (db) =>
          [
            await findDataKey(db, organizationId),
            await countSealed(db, organizationId),
            await findLastVerification(db, organizationId),
          ] as const,
      )
      const progress = verifying.get(organizationId)
      return {
        rootKeyFingerprint: rootKey.fingerprint,
        previousFingerprint: rootKey.previous?.fingerprint ?? null,
        dataKeyCreatedAt: key?.createdAt.toISOString() ?? null,
        dataKeyWrappedBy: key ? wrapperOf(rootKey, key.wrapped, organizationId) : null,
        versions,
        verifying: progress ? { ...progress, startedAt: progress.startedAt.toISOString() } : null,
        lastVerified: last
          ? { at: last.at.toISOString(), by: last.by ?? '', isGood: last.outcome === 'success' }
          : null,
      }
    },

    async verify(who: Who): Promise<SecretVerification> {
      if (verifying.has(who.organizationId)) {
        throw new AppError(
          'conflict',
          'The secrets of this organization are being verified. Wait for the result.',
        )
      }
      // Before the first wait, so that of two that come together the second is refused.
      const progress = { startedAt: clock.now(), versions: 0, checked: 0 }
      verifying.set(who.organizationId, progress)
      try {
        progress.versions = await database.readTenant(who.organizationId, (db) =>
          countSealed(db, who.organizationId),
        )
        return await verifyAll(who, progress)
      } finally {
        verifying.delete(who.organizationId)
      }
    },
  }
}

function presentVerdict(verdict: AuditVerdict): SecretVerification['audit'] {
  return verdict.isIntact
    ? { isIntact: true, entries: verdict.entries, problem: null }
    : { isIntact: false, entries: null, problem: `Entry ${verdict.position}: ${verdict.problem}` }
}

function wrapperOf(
  { previous, ...present }: RootKey,
  wrapped: Buffer,
  organizationId: number,
): 'present' | 'previous' | 'unknown' {
  const context = dataKeyContext(organizationId)
  if (doesOpen(() => unwrap(present, wrapped, context))) return 'present'
  return previous && doesOpen(() => unwrap(previous, wrapped, context)) ? 'previous' : 'unknown'
}

async function findDataKey(db: Db, organizationId: number) {
  const rows = await db
    .select({ createdAt: organizationKeys.createdAt, wrapped: organizationKeys.wrapped })
    .from(organizationKeys)
    .where(eq(organizationKeys.organizationId, organizationId))
  return rows[0]
}

async function findLastVerification(db: Db, organizationId: number) {
  const rows = await db
    .select({ at: auditEntries.at, by: actorLabel, outcome: auditEntries.outcome })
    .from(auditEntries)
    .where(
      and(
        eq(auditEntries.organizationId, organizationId),
        eq(auditEntries.targetType, 'secret-keys'),
        eq(auditEntries.targetId, String(organizationId)),
        eq(auditEntries.action, 'secrets.verify'),
      ),
    )
    .orderBy(desc(auditEntries.at))
    .limit(1)
  return rows[0]
}
