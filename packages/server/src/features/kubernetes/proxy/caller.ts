import type { IncomingMessage } from 'node:http'
import type { Role } from '@bey/contract'
import { hashToken, kubeconfigTokenPrefix } from '../../../platform/crypto/token.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Impersonator } from '../../../platform/audit/impersonation.ts'
import {
  authenticateKubeconfigToken,
  authenticateSession,
  impersonatorOf,
} from '../../../platform/db/gateway.ts'

/** Who sends a request to a cluster, and by what right. */
export type ProxyCaller = {
  userId: number
  email: string
  organizationId: number
  /** At this moment: a demotion takes effect with the next request. */
  role: Role
  credential: { kind: 'session' | 'token'; id: string }
  /** The one cluster that a kubeconfig token is for. */
  onlyClusterId: number | undefined
  expiresAt: Date
  /** Who is really there, where the session is an impersonated one. */
  impersonator?: Impersonator | undefined
}

/**
 * `outsider`: a live session, but not a member of the organization asked for, which is answered as if there were
 * no such cluster.
 */
export type Identify = (
  token: string,
  organizationId: number | undefined,
) => Promise<ProxyCaller | 'outsider' | undefined>

/** The organization that a request names; what is no id is nobody's organization, rather than the active one. */
export function organizationHeader(request: IncomingMessage): number | undefined {
  const value = request.headers['x-organization-id']
  if (value === undefined) return undefined
  return typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) && Number(value) <= 2_147_483_647
    ? Number(value)
    : -1
}

/** Looks tokens of either kind up, in one query each. */
export function identifier(database: Pick<Database, 'pool'>): Identify {
  return async (token, organizationId) => {
    const hash = hashToken(token)
    if (token.startsWith(`${kubeconfigTokenPrefix}_`)) {
      const found = await authenticateKubeconfigToken(database.pool, hash)
      if (!found) return undefined
      const { userId, email, role, expiresAt, clusterId } = found
      return {
        userId,
        email,
        organizationId: found.organizationId,
        role,
        credential: { kind: 'token', id: found.tokenId },
        onlyClusterId: clusterId,
        expiresAt,
      }
    }
    const found = await authenticateSession(database.pool, hash, organizationId)
    if (!found) return undefined
    if (found.organizationId === null || found.role === null) return 'outsider'
    return {
      userId: found.userId,
      email: found.email,
      organizationId: found.organizationId,
      role: found.role,
      credential: { kind: 'session', id: found.sessionId },
      onlyClusterId: undefined,
      expiresAt: found.expiresAt,
      impersonator: impersonatorOf(found),
    }
  }
}
