import { createAuditBatch } from '../../platform/audit/batch.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { findClusterOrganization } from '../../platform/db/gateway.ts'
import type { Handlers, RawName } from '../../platform/http/handlers.ts'
import type { Upgrade } from '../../platform/http/upgrades.ts'
import type { Log } from '../../platform/log.ts'
import { startRecheck } from './proxy/access-recheck.ts'
import { createClusterAgents } from './connection/cluster-agents.ts'
import { createConnectionCache } from './proxy/connection-cache.ts'
import { streamMetrics } from './reads/metrics-stream.ts'
import type { ClusterSummaries, Connect, LivePort, SetReachability } from './connection/ports.ts'
import { identifier } from './proxy/caller.ts'
import { createOpenStreams } from './proxy/open-streams.ts'
import { createProxyAudit } from './proxy/proxy-audit.ts'
import { proxyRoutes, proxyUpgrade } from './proxy/proxy-routes.ts'
import { createProxy } from './proxy/proxy.ts'
import { accountIdentifier } from './proxy/service-account.ts'
import type { ReadFigures } from './reads/read-service.ts'
import { createReadService } from './reads/read-service.ts'
import { readRoutes } from './reads/read-routes.ts'
import { createUsageSource } from './reads/usage.ts'
import { createKubeClient } from './watch/kube-client.ts'
import { createWatchCache } from './watch/watch-cache.ts'

type Names = RawName | `kubernetes.${'overview' | 'nodes' | 'namespaces' | 'pods' | 'deployments' | 'events'}`

export type Kubernetes = {
  handlers: Handlers<Names>
  /** Exec, attach, port-forward and watches over a WebSocket; for `routeUpgrades`. */
  upgrade: Upgrade
  /** For the dashboard. */
  figures: ReadFigures
  /** Ends what is open, then writes what was counted; the database must still be there. */
  close(): Promise<void>
}

export type KubernetesDeps = {
  database: Database
  live: LivePort
  clusters: ClusterSummaries
  connect: Connect
  setReachability: SetReachability
  clock: Clock
  log: Log
}

/** The Kubernetes half of the server: proxy, and what the console reads of clusters. */
export function createKubernetes(deps: KubernetesDeps): Kubernetes {
  const { database, live, clusters, connect, clock, log } = deps
  const agents = createClusterAgents()
  const streams = createOpenStreams()
  const audit = createProxyAudit(createAuditBatch(database), clock, log)
  const connections = createConnectionCache(connect, clock)
  const identify = identifier(
    database,
    accountIdentifier({
      organizationOf: (clusterId) => findClusterOrganization(database.pool, clusterId),
      connect: connections.connect,
      agents,
      clock,
    }),
  )
  const proxy = createProxy({
    identify,
    findCluster: clusters.find,
    connections,
    agents,
    streams,
    audit,
    clock,
    log,
  })

  const client = createKubeClient(agents)
  const cache = createWatchCache({ client, connect, setReachability: deps.setReachability, live, clock, log })
  const usage = createUsageSource({ client, connect, clock })
  const reads = createReadService({ clusters, cache, usage })
  streamMetrics({ live, usage, clock })

  const recheck = startRecheck({ streams, identify, findCluster: clusters.find, clock, log })
  // While the database was away, ends of access may have been missed.
  const stopListening = [
    database.onUp(() => void recheck.recheck(true)),
    live.onAccessEnd((ended) => {
      streams.end(ended)
      if (ended.kind !== 'cluster') return
      connections.forget(ended.clusterId)
      cache.forget(ended.clusterId)
      usage.forget(ended.clusterId)
    }),
  ]

  return {
    handlers: {
      ...proxyRoutes(proxy),
      ...readRoutes(reads),
    },
    upgrade: proxyUpgrade(proxy),
    figures: reads.figures,
    async close() {
      for (const stop of stopListening) stop()
      recheck.stop()
      cache.stop()
      for (const stream of streams.all()) stream.end()
      agents.close()
      await audit.stop()
    },
  }
}
