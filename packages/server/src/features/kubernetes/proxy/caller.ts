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
import { requireAdmission } from '../../../platform/policies/refusal.ts'
import type { KeyAccess, KeyCaller } from '../../../platform/keys/key-access.ts'
import type { KeyRights } from '../../../platform/keys/key-rights.ts'
import { isKeyToken } from '../../../platform/keys/key-token.ts'
import type { Origin } from './proxy-audit.ts'
import { type IdentifyAccount, isAccountToken } from './service-account.ts'

/** Who sends a request to a cluster, and by what right. */
export type ProxyCaller = {
  /** By which limits are shared, such as `user 7`. */
  key: string
  /** Undefined for a service account. */
  userId: number | undefined
  /** Of a service account its user name in the cluster, as its address. */
  name: string
  email: string
  organizationId: number
  /** At this moment: a demotion takes effect with the next request. Undefined for a service account. */
  role: Role | undefined
  /** The token that a cluster issued for a service account itself: what it may do, the cluster alone decides. */
  accountToken?: string
  credential:
    | { kind: 'session'; id: string }
    | { kind: 'token'; id: string }
    | { kind: 'key'; id: string }
    | { kind: 'account'; id: string }
  /** The one cluster that a kubeconfig token is for. */
  onlyClusterId: number | undefined
  expiresAt: Date | undefined
  /** From where the connection came; undefined where nobody asks. */
  ip?: string | undefined
  /** The API key that was sent: the request may do what it and the role both allow. */
  apiKey?: KeyRights
  /** Who is really there, where the session is an impersonated one. */
  impersonator?: Impersonator | undefined
}

/**
 * Throws AppError where the organization's policies keep the caller out (`isPolicyRefusal`).
 *
 * `outsider`: a live session, but not a member of the organization asked for, which is answered as if there were
 * no such cluster.
 */
export type Identify = (
  /** As text, or the SHA-256 of a session's token where Bey knows no more of it. */
  token: string | Buffer,
  /** What the request names. */
  of: { organizationId: number | undefined; clusterId: number | undefined; ip?: string | undefined },
  /** Undefined for a stream that is looked at again. */
  origin?: Origin,
) => Promise<ProxyCaller | 'outsider' | undefined>

/** The organization that a request names; what is no id is nobody's organization, rather than the active one. */
export function organizationHeader(request: IncomingMessage): number | undefined {
  const value = request.headers['x-organization-id']
  if (value === undefined) return undefined
  return typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) && Number(value) <= 2_147_483_647
    ? Number(value)
    : -1
}

/** Looks tokens of Bey's own kinds up, in one query each, and leaves others to the cluster that they are for. */
export function identifier(
  database: Pick<Database, 'pool'>,
  keyAccess: KeyAccess,
  identifyAccount: IdentifyAccount,
): Identify {
  async function byKeyHash(hash: Buffer, organizationId: number | undefined) {
    return keyCaller(await keyAccess.recheck(hash), organizationId)
  }

  return async (token, { organizationId, clusterId, ip }, origin) => {
    // A hash is kept of what opened a log: a session's token, or an API key. A log that stays open is no use of a session.
    if (typeof token !== 'string')
      return (
        (await identifySession(database, token, { organizationId, ip, countsAsUse: false })) ??
        byKeyHash(token, organizationId)
      )
    if (isKeyToken(token)) {
      const found = origin
        ? await keyAccess.authenticate(token, origin)
        : await keyAccess.recheck(hashToken(token), ip)
      return keyCaller(found, organizationId)
    }
    if (isAccountToken(token)) return clusterId === undefined ? undefined : identifyAccount(token, clusterId)
    const hash = hashToken(token)
    if (!token.startsWith(`${kubeconfigTokenPrefix}_`))
      return identifySession(database, hash, { organizationId, ip, countsAsUse: true })
    const found = await authenticateKubeconfigToken(database.pool, hash)
    if (!found) return undefined
    const { userId, name, email, role, expiresAt } = found
    requireAdmission(found.policies, { email, ip })
    return {
      ip,
      key: `user ${userId}`,
      userId,
      name,
      email,
      organizationId: found.organizationId,
      role,
      credential: { kind: 'token', id: found.tokenId },
      onlyClusterId: found.clusterId,
      expiresAt,
    }
  }
}

async function identifySession(
  database: Pick<Database, 'pool'>,
  hash: Buffer,
  {
    organizationId,
    ip,
    countsAsUse,
  }: { organizationId: number | undefined; ip: string | undefined; countsAsUse: boolean },
): Promise<ProxyCaller | 'outsider' | undefined> {
  const found = await authenticateSession(database.pool, hash, organizationId, countsAsUse)
  if (!found) return undefined
  if (found.organizationId === null || found.role === null) return 'outsider'
  requireAdmission(found.policies, { email: found.email, ip, method: found.method })
  return {
    ip,
    key: `user ${found.userId}`,
    userId: found.userId,
    name: found.name,
    email: found.email,
    organizationId: found.organizationId,
    role: found.role,
    credential: { kind: 'session', id: found.sessionId },
    onlyClusterId: undefined,
    expiresAt: found.expiresAt,
    impersonator: impersonatorOf(found),
  }
}

function keyCaller(
  found: KeyCaller | undefined,
  organizationId: number | undefined,
): ProxyCaller | 'outsider' | undefined {
  if (found === undefined) return undefined
  if (organizationId !== undefined && organizationId !== found.organizationId) return 'outsider'
  const { user, role, key } = found
  return {
    key: `key ${key.id}`,
    userId: user.id,
    name: user.name,
    email: user.email,
    organizationId: found.organizationId,
    role,
    credential: { kind: 'key', id: key.secretId },
    onlyClusterId: undefined,
    expiresAt: key.expiresAt ?? undefined,
    apiKey: key,
  }
}
