import { hashToken } from '../crypto/token.ts'
import type { Database } from '../db/database.ts'
import { authenticateSession } from '../db/gateway.ts'
import type { LiveIdentity } from './peer.ts'

/**
 * The user of a session token as a member of an organization; undefined if the token is invalid or the user no
 * member.
 */
export function sessionAuthenticator(database: Pick<Database, 'pool'>) {
  return async (token: string, organizationId: number): Promise<LiveIdentity | undefined> => {
    const session = await authenticateSession(database.pool, hashToken(token), organizationId)
    if (!session || session.organizationId !== organizationId || session.role === null) return undefined
    const { sessionId, userId, email, name, role } = session
    return { sessionId, user: { id: userId, email, name }, organizationId, role }
  }
}
