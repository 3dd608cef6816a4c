import type { Permission } from '@bey/contract'

import type { Member } from '../../../platform/act.ts'
import { AppError } from '../../../platform/errors.ts'
import { limitNow, whyNotNow } from '../../../platform/keys/key-rights.ts'
import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'
import { messageOf } from './cluster-object.ts'
import type { DatabaseClusters, PersonCall } from './clusters.ts'

type Cluster = { id: number; title: string }

/**
 * A cluster that a person may use for databases, by requests in their name. Throws AppError `not_found`, `forbidden` where
 * their role or API key lacks one of the permissions, `conflict` for a cluster that is not running.
 */
export async function openCluster(
  clusters: DatabaseClusters,
  caller: Member,
  clusterId: number,
  needed: readonly Permission[],
): Promise<{ cluster: Cluster; call: PersonCall }> {
  const { organizationId, role, user } = caller
  const cluster = mayTouchCluster(clusterId) ? await clusters.find(organizationId, clusterId) : undefined
  if (cluster === undefined) {
    throw new AppError('not_found', `There is no cluster ${clusterId} in this organization.`)
  }
  for (const permission of needed) {
    const refusal = whyNotNow(role, permission)
    if (refusal !== undefined) throw new AppError('forbidden', refusal)
  }
  const call = await clusters.asPerson(organizationId, clusterId, { email: user.email, role })
  return { cluster, call: orUnreachable(cluster, call) }
}

/** Whether the API key of the present request, if there is one, is not limited to other clusters. */
export function mayTouchCluster(clusterId: number): boolean {
  const limit = limitNow('cluster')
  return limit === undefined || limit.includes(String(clusterId))
}

function orUnreachable({ title }: Cluster, call: PersonCall): PersonCall {
  return async (...request) => {
    try {
      return await call(...request)
    } catch (error) {
      throw error instanceof ConnectionProblem
        ? new AppError('cluster_unreachable', `The cluster "${title}": ${error.message}`, { cause: error })
        : error
    }
  }
}

/** Throws AppError for an answer that is no success, with the cluster's own reason. */
export function requireAnswer(
  answer: { status: number; body: unknown },
  { title }: Cluster,
  what: string,
): void {
  const { status } = answer
  if (status < 300) return
  const code = status === 404 ? 'not_found' : status === 401 || status === 403 ? 'forbidden' : 'conflict'
  throw new AppError(code, `${what} of the cluster "${title}": ${messageOf(answer).replace(/\.$/, '')}.`)
}
