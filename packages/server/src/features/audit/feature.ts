import type { Feature, Parts } from '../../feature.ts'
import { signCheckpoints } from '../../platform/audit/checkpoints.ts'
import { removeOldEntries } from '../../platform/audit/retention.ts'
import type { SigningKey } from '../../platform/audit/signing-key.ts'
import { auditRoutes } from './routes.ts'
import { createVerifications, type OnBroken } from './verification.ts'

type AuditNeeds = { signingKey: SigningKey; onBroken: OnBroken }

export function auditFeature({ database, clock, log }: Parts, { signingKey, onBroken }: AuditNeeds) {
  const verifications = createVerifications({ database, clock, log, signingKey, onBroken })
  return {
    handlers: auditRoutes(database, verifications, signingKey),
    /**
     * Every hour: signs what was added since the last time, removes what organizations no longer keep, and verifies the
     * whole chains that were not verified for a day. What does not fit is reported to anyone who reads the log.
     */
    async retention(now) {
      const broken = new Set<number>()
      await signCheckpoints(database, signingKey, now, (fault) => {
        log.error(fault, 'The audit log does not fit: verify it in the console')
        broken.add(fault.organizationId)
      })
      await removeOldEntries(database, signingKey, now)
      for (const organizationId of broken) if (organizationId > 0) await verifications.check(organizationId)
      await verifications.checkDue()
    },
    close: () => verifications.close(),
  } satisfies Feature
}
