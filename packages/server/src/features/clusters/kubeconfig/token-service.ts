import { presentPerson } from '../../../platform/present-actor.ts'
import type { KubeconfigToken } from '@bey/contract'
import { act } from '../../../platform/act.ts'
import type { Clock } from '../../../platform/clock.ts'
import { hashToken, kubeconfigTokenPrefix, newToken } from '../../../platform/crypto/token.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Total } from '../../../platform/db/totals.ts'
import { AppError } from '../../../platform/errors.ts'
import type { TenantCaller } from '../../../platform/http/handlers.ts'
import { endAccess } from '../../../platform/live/access-end.ts'
import { getCluster, getRunningCluster } from '../cluster-summary.ts'
import { kubeconfigYaml, proxyAddress, type PublicAddress } from './kubeconfig.ts'
import {
  countLiveTokens,
  countRecentTokens,
  insertToken,
  listTokens,
  lockMember,
  revokeToken,
  type TokenRow,
} from './token-store.ts'
import { mayNow } from '../../../platform/keys/key-rights.ts'

const liveTokensPerUser = 20
/** Revoking makes room for another live token, but each download leaves an entry in the audit trail for ever. */
const downloadsPerHour = 60

export type TokenService = {
  /**
   * Makes a token and the kubeconfig around it; the token is not kept and cannot be shown again. Throws `limit_reached`
   * beyond the live tokens of a user and `rate_limited` beyond their downloads; `forbidden` for an impersonated session:
   * the token would outlive it, and its use would not name the impersonator.
   */
  createKubeconfig(
    caller: TenantCaller,
    clusterId: number,
    expiresInHours: number,
  ): Promise<{ yaml: string; fileName: string }>
  list(
    caller: TenantCaller,
    clusterId: number,
    page: { page: number; limit: number },
  ): Promise<{ tokens: KubeconfigToken[]; page: number; limit: number } & Total>
  /** Ends the token and, within a second and in every process, what is open by it. */
  revoke(caller: TenantCaller, clusterId: number, tokenId: string): Promise<void>
}

export function createTokenService(deps: {
  database: Pick<Database, 'withTenant' | 'readTenant'>
  clock: Clock
  /** Asked at each download: the port is known once the listener listens. */
  address: () => PublicAddress
}): TokenService {
  const { database, clock } = deps
  return {
    async createKubeconfig(caller, clusterId, expiresInHours) {
      if (caller.impersonator) {
        throw new AppError(
          'forbidden',
          'A kubeconfig would act for somebody else after the impersonation has ended. Exit it and download your own.',
        )
      }
      const token = newToken(kubeconfigTokenPrefix)
      const now = clock.now()
      const title = await database.withTenant(caller.organizationId, async (db) => {
        const cluster = await getRunningCluster(db, clusterId)
        const holder = { organizationId: caller.organizationId, userId: caller.user.id }
        await lockMember(db, holder)
        // Before the audit: each download is an entry of its own.
        const hourAgo = new Date(now.getTime() - 3_600_000)
        if ((await countRecentTokens(db, holder, hourAgo)) >= downloadsPerHour) {
          throw new AppError(
            'rate_limited',
            `You have downloaded ${downloadsPerHour} kubeconfigs within an hour, which is the limit. Use one of those, or try again later.`,
          )
        }
        if ((await countLiveTokens(db, holder)) >= liveTokensPerUser) {
          throw new AppError(
            'limit_reached',
            `You have ${liveTokensPerUser} live kubeconfig tokens, which is the limit. Revoke one that you no longer use, or wait until one expires.`,
          )
        }
        const id = uuidv7(now.getTime())
        const expiresAt = new Date(now.getTime() + expiresInHours * 3_600_000)
        await insertToken(db, {
          id,
          organizationId: caller.organizationId,
          userId: caller.user.id,
          clusterId,
          tokenHash: hashToken(token),
          label: `${cluster.title}.kubeconfig`,
          createdAt: now,
          expiresAt,
        })
        await act(db, caller, {
          action: 'kubeconfig.create',
          class: 'access',
          target: { type: 'cluster', id: clusterId, name: cluster.title },
          diff: { tokenId: id, expiresAt: expiresAt.toISOString() },
        })
        return cluster.title
      })
      const address = proxyAddress(deps.address(), clusterId)
      return {
        yaml: kubeconfigYaml({ clusterTitle: title, ...address, token }),
        fileName: `${title}.kubeconfig`,
      }
    },

    async list(caller, clusterId, { page, limit }) {
      const found = await database.readTenant(caller.organizationId, async (db) => {
        await getCluster(db, clusterId)
        const userId = visibleUser(caller)
        const of = { organizationId: caller.organizationId, clusterId, userId }
        return listTokens(db, of, { limit, offset: (page - 1) * limit })
      })
      const { rows, ...total } = found
      return { tokens: rows.map(present), ...total, page, limit }
    },

    async revoke(caller, clusterId, tokenId) {
      await database.withTenant(caller.organizationId, async (db) => {
        const cluster = await getCluster(db, clusterId)
        const { organizationId } = caller
        const of = { organizationId, clusterId, tokenId, userId: visibleUser(caller) }
        const revoked = await revokeToken(db, of)
        if (!revoked) throw new AppError('not_found', 'There is no such live token of this cluster.')
        await endAccess(db, { kind: 'token', id: tokenId })
        await act(db, caller, {
          action: 'kubeconfig.revoke',
          class: 'access',
          target: { type: 'cluster', id: clusterId, name: cluster.title },
          diff: { tokenId, userId: revoked.userId },
        })
      })
    },
  }
}

/** Whose tokens a user sees: their own, or all for those who may read the audit trail. */
function visibleUser(caller: TenantCaller): number | undefined {
  return mayNow(caller.role, 'audit.read') ? undefined : caller.user.id
}

function present(row: TokenRow): KubeconfigToken {
  return {
    id: row.id,
    user: presentPerson(row.userId, row.userName, row.userEmail),
    label: row.label,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  }
}
