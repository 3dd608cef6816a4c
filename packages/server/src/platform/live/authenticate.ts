import { hashToken } from '../crypto/token.ts'
import type { Database } from '../db/database.ts'
import { authenticateSession } from '../db/gateway.ts'
import { isPolicyRefusal, policyRefusal } from '../policies/refusal.ts'
import type { KeyAccess } from '../keys/key-access.ts'
import { isKeyToken } from '../keys/key-token.ts'
import type { LiveIdentity } from './peer.ts'

/** The user of a token in an organization; undefined if the token is invalid there, or may not be used from the address. */
export type Authenticate = (
  token: string,
  organizationId: number,
  ip: string,
) => Promise<LiveIdentity | undefined>

/** Sessions and API keys, each with one query. */
export function liveAuthenticator(
  database: Pick<Database, 'pool'>,
  keyAccess: Pick<KeyAccess, 'authenticate'>,
): Authenticate {
  const bySession = sessionAuthenticator(database)
  return (token, organizationId, ip) =>
    isKeyToken(token) ? byKey(keyAccess, token, organizationId, ip) : bySession(token, organizationId, ip)
}

/**
 * The user of a session token as a member of an organization; undefined if the token is invalid, the user no member, or
 * kept out by the organization's policies.
 */
export function sessionAuthenticator(database: Pick<Database, 'pool'>) {
  return async (token: string, organizationId: number, ip: string): Promise<LiveIdentity | undefined> => {
    const session = await authenticateSession(database.pool, hashToken(token), organizationId, false)
    if (!session || session.organizationId !== organizationId || session.role === null) return undefined
    const { sessionId, userId, email, name, role, policies, method } = session
    if (policyRefusal(policies, { email, ip, method }) !== undefined) return undefined
    return { sessionId, user: { id: userId, email, name }, organizationId, role }
  }
}

async function byKey(
  keyAccess: Pick<KeyAccess, 'authenticate'>,
  token: string,
  organizationId: number,
  ip: string,
): Promise<LiveIdentity | undefined> {
  try {
    const found = await keyAccess.authenticate(token, { ip, userAgent: '', requestId: '' })
    if (found?.organizationId !== organizationId) return undefined
    const { user, role, key } = found
    return { sessionId: key.secretId, user, organizationId, role, key }
  } catch (error) {
    // From an address that the key does not allow, or kept out by policies, which is recorded already.
    if (isPolicyRefusal(error)) return undefined
    throw error
  }
}
