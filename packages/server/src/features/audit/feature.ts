import type { Feature, Parts } from '../../feature.ts'
import { signCheckpoints } from '../../platform/audit/checkpoints.ts'
import { removeOldEntries } from '../../platform/audit/retention.ts'
import type { SigningKey } from '../../platform/audit/signing-key.ts'
import { auditRoutes } from './routes.ts'
import { createVerifications } from './verification.ts'

export function auditFeature({ database, clock, log }: Parts, signingKey: SigningKey) {
  const verifications = createVerifications({ database, clock, log, signingKey })
  return {
    handlers: auditRoutes(database, verifications, signingKey),
    /** Every hour: signs what was added since the last time, then removes what organizations no longer keep. */
    async retention(now) {
      await signCheckpoints(database, signingKey, now, (fault) =>
        log.error(fault, 'The audit log does not fit: verify it in the console'),
      )
      await removeOldEntries(database, signingKey, now)
    },
    close: () => verifications.close(),
  } satisfies Feature
}
