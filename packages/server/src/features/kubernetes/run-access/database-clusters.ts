import { AppError } from '../../../platform/errors.ts'
import { currentKey } from '../../../platform/keys/key-rights.ts'
import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'
import type { DatabaseClusters } from '../../databases/cnpg/clusters.ts'
import { type ClusterAgents, whyUnreachable } from '../connection/cluster-agents.ts'
import { clusterCallsAs } from '../connection/cluster-calls.ts'
import { createKubeSender } from '../connection/kube-sender.ts'
import type { ClusterSummaries, Connect } from '../connection/ports.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import { ownIdentity } from '../proxy/impersonation.ts'
import { execInPod } from './pod-exec.ts'
import { openPort } from './port-forward.ts'

type Options = {
  summaries: Pick<ClusterSummaries, 'listRunning' | 'find'>
  connect: Connect
  agents: ClusterAgents
  cache: Pick<WatchCache, 'watchRows'>
}

/** What is followed of a cluster, so that changes of databases on it are noticed at once. */
const followed = [
  {
    name: 'clusters.postgresql.cnpg.io',
    path: '/apis/postgresql.cnpg.io/v1/clusters',
    isNamespaced: true,
  },
] as const

/** How databases that run on clusters are managed and reached. */
export function createDatabaseClusters({ summaries, connect, agents, cache }: Options): DatabaseClusters {
  const send = createKubeSender(agents)
  return {
    listRunning: summaries.listRunning,
    find: summaries.find,
    follow: (cluster, onChange) => cache.watchRows(cluster, followed, onChange),
    async asPerson(organizationId, clusterId, person) {
      const connection = await connect(organizationId, clusterId)
      const call = clusterCallsAs(agents, connection, ownIdentity({ ...person, apiKey: currentKey() }))
      return async (method, path, options) => {
        try {
          return await call(method, path, options)
        } catch (cause) {
          throw new ConnectionProblem(`The cluster does not answer: ${whyUnreachable(cause)}.`, { cause })
        }
      }
    },
    async asBey(organizationId, clusterId) {
      const connection = await known(connect(organizationId, clusterId))
      return async (path) => {
        try {
          return await send(connection, { method: 'GET', path })
        } catch (cause) {
          // The sender has put it in words.
          throw new ConnectionProblem(cause instanceof Error ? cause.message : String(cause), { cause })
        }
      }
    },
    async exec(organizationId, clusterId, person, target) {
      const connection = await known(connect(organizationId, clusterId))
      return execInPod(agents, connection, ownIdentity({ ...person, apiKey: currentKey() }), target)
    },
    async openPort(organizationId, clusterId, target) {
      return openPort(agents, await known(connect(organizationId, clusterId)), target)
    },
  }
}

/** A cluster that is not running, or unknown, is out of reach as one is that does not answer. */
function known(connection: ReturnType<Connect>): ReturnType<Connect> {
  return connection.catch((cause: unknown) => {
    throw cause instanceof AppError ? new ConnectionProblem(cause.message, { cause }) : cause
  })
}
