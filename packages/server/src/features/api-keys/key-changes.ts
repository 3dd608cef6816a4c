import { audit } from '../../platform/audit/audit.ts'
import { hashToken } from '../../platform/crypto/token.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Db } from '../../platform/db/database.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { startOf } from '../../platform/keys/key-token.ts'
import { publish } from '../../platform/live/publish.ts'

/** The row of a token: its hash, and the beginning that lists show. */
export function secretRow(organizationId: number, keyId: string, token: string, now: Date) {
  const id = uuidv7(now.getTime())
  return { id, organizationId, keyId, tokenHash: hashToken(token), start: startOf(token), createdAt: now }
}

/** Publishes and audits a change of a key. */
export function recordChange(
  db: Db,
  caller: TenantCaller,
  { id, name }: { id: string; name: string },
  action: string,
  diff: Record<string, unknown>,
): Promise<unknown> {
  const { organizationId, user, ip, userAgent, requestId } = caller
  return Promise.all([
    publish(db, { organizationId, type: 'API_KEYS_UPDATE', data: { apiKeyId: id } }),
    audit(db, {
      organizationId,
      actor: { type: 'user', id: user.id, display: user.email },
      via: 'console',
      action,
      class: 'access',
      target: { type: 'apiKey', id, name },
      ip,
      userAgent,
      requestId,
      diff,
    }),
  ])
}
