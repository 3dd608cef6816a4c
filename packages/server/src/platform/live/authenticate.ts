import { hashToken } from '../crypto/token.ts'
import type { Database } from '../db/database.ts'
import { authenticateSession } from '../db/gateway.ts'
import type { LiveIdentity } from './peer.ts'

/** Who holds a session token, as a member of an organization; undefined: nobody, or no member of it. */
export function sessionAuthenticator(database: Pick<Database, 'pool'>) {
  return async (token: string, organizationId: number): Promise<LiveIdentity | undefined> => {
    const session = await authenticateSession(database.pool, hashToken(token), organizationId)
    if (!session || session.organizationId !== organizationId || session.role === null) return undefined
    const { sessionId, userId, email, name, role } = session
    return { sessionId, user: { id: userId, email, name }, organizationId, role }
  }
}
