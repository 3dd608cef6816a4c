import type { Member } from '../../../platform/act.ts'
import { AppError } from '../../../platform/errors.ts'
import { type ClusterAgents, whyUnreachable } from '../connection/cluster-agents.ts'
import { clusterCallsAs, reasonOf } from '../connection/cluster-calls.ts'
import type { ClusterSummaries, Connect } from '../connection/ports.ts'
import { ownIdentity } from './impersonation.ts'

/**
 * Sends a strategic merge patch in the name of a person, so that the cluster's own roles decide; answers the object as it
 * is then. Throws AppError `not_found`, `conflict`, `cluster_unreachable`, and `cluster_forbidden` with the cluster's reason.
 */
export function createPatcher({
  clusters,
  connect,
  agents,
}: {
  clusters: ClusterSummaries
  connect: Connect
  agents: ClusterAgents
}) {
  return async (
    caller: Member,
    {
      clusterId,
      path,
      patch,
      isDryRun,
    }: { clusterId: number; path: string; patch: object; isDryRun: boolean },
  ): Promise<unknown> => {
    const cluster = await clusters.getRunning(caller.organizationId, clusterId)
    const connection = await connect(caller.organizationId, clusterId)
    const identity = ownIdentity({ email: caller.user.email, role: caller.role })
    const call = clusterCallsAs(agents, connection, identity)
    const answer = await call('PATCH', `${path}?fieldManager=bey${isDryRun ? '&dryRun=All' : ''}`, {
      body: patch,
      contentType: 'application/strategic-merge-patch+json',
    }).catch((cause: unknown) => {
      const message = `The cluster "${cluster.title}" does not answer: ${whyUnreachable(cause)}.`
      throw new AppError('cluster_unreachable', message, { cause })
    })
    if (answer.status === 200) return answer.body
    const reason = reasonOf(answer)
    if (answer.status === 404) throw new AppError('not_found', `The object is gone: ${reason}`)
    if (answer.status === 403) throw new AppError('cluster_forbidden', `The cluster refuses: ${reason}`)
    throw new AppError('conflict', `The cluster refuses the change: ${reason}`)
  }
}
