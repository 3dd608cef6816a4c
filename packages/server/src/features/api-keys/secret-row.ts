import { hashToken } from '../../platform/crypto/token.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { startOf } from '../../platform/keys/key-token.ts'

/** The row of a token: its hash, and the beginning that lists show. */
export function secretRow(organizationId: number, keyId: string, token: string, now: Date) {
  const id = uuidv7(now.getTime())
  return { id, organizationId, keyId, tokenHash: hashToken(token), start: startOf(token), createdAt: now }
}
